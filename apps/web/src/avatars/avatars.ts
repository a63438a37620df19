import type { AvatarRef } from '@hub/contract';
import { signal } from '@preact/signals';
import { path, request } from '../api/request.ts';

/** An alias for the bot's id, for the settings page, which does not know the id. */
export const BOT = 'bot';

type AvatarOwner = Pick<AvatarRef, 'id' | 'kind'>;

/** Avatar URLs by the id of a user or the bot. Items do not contain them, which keeps items small. */
const urls = signal<ReadonlyMap<string, string>>(new Map());
/** The number of avatar changes so far, so that a response requested before a change does not undo it. */
let changeCount = 0;

/** Returns the URL of an avatar, or null. Components that read it update when it changes. */
export function avatarOf(id: string): string | null {
  return urls.value.get(id) ?? null;
}

/** Sets the avatar version of a user or the bot; null removes the avatar. */
export function updateAvatar({ id, kind }: AvatarOwner, version: string | null): void {
  changeCount += 1;
  const updated = new Map(urls.peek());
  for (const name of namesOf({ id, kind })) {
    if (version === null) updated.delete(name);
    else updated.set(name, urlOf({ id, kind, version }));
  }
  urls.value = updated;
}

/** Clears all avatars, before another user signs in. */
export function clearAvatars(): void {
  urls.value = new Map();
}

/**
 * Loads all avatars. @throws ApiError or NoResponse; known avatars stay.
 */
export async function loadAvatars(): Promise<void> {
  const before = changeCount;
  const found = new Map<string, string>();
  let next: string | null = null;
  do {
    const query: { limit: number; before: string | null } = { limit: 100, before: next };
    const page: { items: AvatarRef[]; next: string | null } = await request('GET', '/pictures', { query });
    for (const avatar of page.items) {
      for (const name of namesOf(avatar)) found.set(name, urlOf(avatar));
    }
    next = page.next;
  } while (next !== null);
  if (changeCount === before) urls.value = found;
  else await loadAvatars();
}

function namesOf({ id, kind }: AvatarOwner): string[] {
  return kind === 'bot' ? [id, BOT] : [id];
}

function urlOf({ id, kind, version }: AvatarRef): string {
  const owner = kind === 'bot' ? '/workspace/bot-picture' : path`/people/${id}/picture`;
  return `/api/v1${owner}?v=${encodeURIComponent(version)}`;
}
