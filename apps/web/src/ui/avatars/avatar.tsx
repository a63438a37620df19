import type { AvatarRef, Item } from '@hub/contract';
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { allPages, urlOf } from '../../data/request.ts';

/** Chosen by hashing an id. Lightness and chroma are fixed, so text on every hue passes AA. */
const HUES = [255, 165, 55, 310, 205, 25, 110, 285];
const SIZES = { xl: ' is-xl', l: '', m: ' is-m', s: ' is-s' } as const;

interface AvatarProps {
  id: string;
  name: string;
  /** `user`: a circle with initials. `key`: a square with lower-case letters. */
  kind: 'user' | 'key';
  size?: keyof typeof SIZES;
  /** The id of the image's owner, if it is not `id`. */
  avatarId?: string;
}

/** The avatar of a user or key. It is hidden from screen readers, since the name is always beside it. */
export function Avatar({ id, name, kind, size = 'l', avatarId = id }: AvatarProps) {
  const shape = kind === 'key' ? ' is-key' : '';
  return (
    <span
      class={`avatar${shape}${SIZES[size]}`}
      style={{ '--h': hueOf(kind === 'key' ? name : id) }}
      aria-hidden="true"
    >
      {kind === 'key' ? keyLetters(name) : initials(name)}
      <AvatarImage address={avatarOf(avatarId)} />
    </span>
  );
}

/** The image over the letters, which stay visible until it has loaded, or if it fails. */
function AvatarImage({ address }: { address: string | null }) {
  const [failed, setFailed] = useState<string | null>(null);
  if (address === null || address === failed) return null;
  return <img src={address} alt="" draggable={false} onError={() => setFailed(address)} />;
}

/** The avatar of an item's author: a user, or a key, which shows the bot's image if there is one. */
export function AuthorAvatar(props: { item: Pick<Item, 'author' | 'key'>; size?: keyof typeof SIZES }) {
  const {
    item: { author, key },
    size = 'l',
  } = props;
  return key ? (
    <Avatar {...key} avatarId={author.id} kind="key" size={size} />
  ) : (
    <Avatar {...author} kind="user" size={size} />
  );
}

/** Returns a stable hue for a user's id, or for a key's name, which successors share (FNV-1a). */
function hueOf(id: string): number {
  let hash = 2_166_136_261;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return HUES[(hash >>> 0) % HUES.length] ?? 0;
}

function initials(name: string): string {
  const text = name.trim().split(/\s+/);
  const letters = text.length > 1 ? [text[0], text.at(-1)] : [text[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

/** Returns the first letters of the first two words: "dp" for "deploy-pipeline"; of a single word, its first two letters. */
function keyLetters(name: string): string {
  const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters =
    second === undefined ? [...first].slice(0, 2) : [...first].slice(0, 1).concat([...second].slice(0, 1));
  return letters.join('').toLowerCase();
}

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
