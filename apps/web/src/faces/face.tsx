import type { Item } from '@hub/contract';

const HUES = 8;
const SIZES = { l: '', m: ' is-m', s: ' is-s' } as const;

interface FaceProps {
  id: string;
  name: string;
  /** A circle with initials is a person, a square with lower-case letters a program. */
  kind: 'person' | 'key';
  size?: keyof typeof SIZES;
}

/** Who: the same shape, letters and hue wherever somebody appears. The name stands beside it, so it is hidden from readers. */
export function Face({ id, name, kind, size = 'l' }: FaceProps) {
  const shape = kind === 'key' ? ' is-key' : '';
  return (
    <span class={`face hue-${hueOf(id)}${shape}${SIZES[size]}`} aria-hidden="true">
      {kind === 'key' ? keyLetters(name) : initials(name)}
    </span>
  );
}

/** Whoever wrote an item: its key, or the person. */
export function AuthorFace({
  item: { author, key },
  size = 'l',
}: {
  item: Pick<Item, 'author' | 'key'>;
  size?: keyof typeof SIZES;
}) {
  return key ? <Face {...key} kind="key" size={size} /> : <Face {...author} kind="person" size={size} />;
}

/** From 1 to 8, always the same for an id (FNV-1a). */
function hueOf(id: string): number {
  let hash = 2_166_136_261;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return ((hash >>> 0) % HUES) + 1;
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

function keyLetters(name: string): string {
  return [...name.replaceAll(/[^\p{L}\p{N}]/gu, '')].slice(0, 2).join('').toLowerCase();
}
