import type { Item, UserRef } from '@hub/contract';

/** Fields stored as posted. Nothing in them refers to a user by id. */
const AS_POSTED: readonly string[] = ['blocks'];

/** Returns the item with the user's new name; the same object if nothing changes. */
export function renamed(item: Item, user: UserRef): Item {
  return within(item, user) as Item;
}

function within(value: unknown, user: UserRef): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const changed = value.map((each) => within(each, user));
    return changed.some((each, n) => each !== value[n]) ? changed : value;
  }
  let result: Record<string, unknown> = value as Record<string, unknown>;
  for (const [name, inner] of Object.entries(value)) {
    const changed = AS_POSTED.includes(name) ? inner : within(inner, user);
    if (changed !== inner) result = { ...result, [name]: changed };
  }
  const isUser = result.id === user.id && typeof result.name === 'string' && result.name !== user.name;
  return isUser ? { ...result, name: user.name } : result;
}
