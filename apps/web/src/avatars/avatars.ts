import type { AvatarRef } from '@hub/contract';
import { signal } from '@preact/signals';
import { path, request } from '../api/request.ts';

/** The bot is also known by this: who chooses its picture does not know its id. */
export const BOT = 'bot';

type AvatarOwner = Pick<AvatarRef, 'id' | 'kind'>;

/** By the id of a person or the bot: the address of the picture. Items do not say who has one, so that they stay light. */
const addresses = signal<ReadonlyMap<string, string>>(new Map());
/** How often anything was told of a picture, so that an answer from before does not take it back. */
let notified = 0;

/** Where the picture of a person or the bot is; `null` if there is none. Whoever reads it is drawn again when that changes. */
export function avatarOf(id: string): string | null {
  return addresses.value.get(id) ?? null;
}

/** This is the picture of a person or the bot from now on; `null`: there is none. */
export function noteAvatar({ id, kind }: AvatarOwner, version: string | null): void {
  notified += 1;
  const noted = new Map(addresses.peek());
  for (const name of namesOf({ id, kind })) {
    if (version === null) noted.delete(name);
    else noted.set(name, addressOf({ id, kind, version }));
  }
  addresses.value = noted;
}

/** Nobody is known any more: somebody else has signed in. */
export function forgetAvatars(): void {
  addresses.value = new Map();
}

/**
 * Asks who has a picture. @throws ApiError or NoAnswer: what is known stays.
 */
export async function loadAvatars(): Promise<void> {
  const before = notified;
  const found = new Map<string, string>();
  let next: string | null = null;
  do {
    const query: { limit: number; before: string | null } = { limit: 100, before: next };
    const page: { items: AvatarRef[]; next: string | null } = await request('GET', '/pictures', { query });
    for (const avatar of page.items) {
      for (const name of namesOf(avatar)) found.set(name, addressOf(avatar));
    }
    next = page.next;
  } while (next !== null);
  if (notified === before) addresses.value = found;
  else await loadAvatars();
}

function namesOf({ id, kind }: AvatarOwner): string[] {
  return kind === 'bot' ? [id, BOT] : [id];
}

function addressOf({ id, kind, version }: AvatarRef): string {
  const owner = kind === 'bot' ? '/workspace/bot-picture' : path`/people/${id}/picture`;
  return `/api/v1${owner}?v=${encodeURIComponent(version)}`;
}
