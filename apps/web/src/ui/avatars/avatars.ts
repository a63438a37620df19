import type { AvatarRef } from '@hub/contract';
import { signal } from '@preact/signals';
import { allPages, urlOf } from '../../data/request.ts';

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
    else updated.set(name, imageUrl({ id, kind, version }));
  }
  urls.value = updated;
}

/** Clears all avatars, before another user signs in. */
export function clearAvatars(): void {
  urls.value = new Map();
}

/** Loads all avatars. @throws ApiError or NoResponse; known avatars stay. */
export async function loadAvatars(): Promise<void> {
  const before = changeCount;
  const images = new Map<string, string>();
  for (const avatar of await allPages('GET /avatars', {})) {
    for (const name of namesOf(avatar)) images.set(name, imageUrl(avatar));
  }
  if (changeCount === before) urls.value = images;
  else await loadAvatars();
}

function namesOf({ id, kind }: AvatarOwner): string[] {
  return kind === 'bot' ? [id, BOT] : [id];
}

function imageUrl({ id, kind, version }: AvatarRef): string {
  const image = kind === 'bot' ? 'GET /workspace/bot-avatar' : 'GET /users/{userId}/avatar';
  return urlOf(image, { userId: id, query: { v: version } });
}
