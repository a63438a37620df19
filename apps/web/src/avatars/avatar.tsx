import type { Item } from '@hub/contract';
import { useState } from 'preact/hooks';
import { avatarOf } from './avatars.ts';

const HUES = 8;
const SIZES = { xl: ' is-xl', l: '', m: ' is-m', s: ' is-s' } as const;

interface AvatarProps {
  id: string;
  name: string;
  /** A circle with initials is a person, a square with lower-case letters a program. */
  kind: 'person' | 'key';
  size?: keyof typeof SIZES;
  /** Whose picture it shows, if not that of `id`. */
  avatarId?: string;
}

/** Who: the same shape, picture or letters and hue wherever somebody appears. The name stands beside it, so it is hidden from readers. */
export function Avatar({ id, name, kind, size = 'l', avatarId = id }: AvatarProps) {
  const shape = kind === 'key' ? ' is-key' : '';
  return (
    <span class={`avatar hue-${hueOf(kind === 'key' ? name : id)}${shape}${SIZES[size]}`} aria-hidden="true">
      {kind === 'key' ? keyLetters(name) : initials(name)}
      <AvatarImage address={avatarOf(avatarId)} />
    </span>
  );
}

/** Over the letters, which are seen until it is there, and if it does not come. */
export function AvatarImage({ address }: { address: string | null }) {
  const [failed, setFailed] = useState<string | null>(null);
  if (address === null || address === failed) return null;
  return <img src={address} alt="" draggable={false} onError={() => setFailed(address)} />;
}

/** Whoever wrote an item: its key, behind the picture of the bot if there is one, or the person. */
export function AuthorAvatar({
  item: { author, key },
  size = 'l',
}: {
  item: Pick<Item, 'author' | 'key'>;
  size?: keyof typeof SIZES;
}) {
  return key ? (
    <Avatar {...key} avatarId={author.id} kind="key" size={size} />
  ) : (
    <Avatar {...author} kind="person" size={size} />
  );
}

/** From 1 to 8, always the same for a person's id, and for a key's name, which its successors have as well (FNV-1a). */
function hueOf(id: string): number {
  let hash = 2_166_136_261;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return ((hash >>> 0) % HUES) + 1;
}

function initials(name: string): string {
  const text = name.trim().split(/\s+/);
  const letters = text.length > 1 ? [text[0], text.at(-1)] : [text[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

function keyLetters(name: string): string {
  return [...name.replaceAll(/[^\p{L}\p{N}]/gu, '')].slice(0, 2).join('').toLowerCase();
}
