import type { Block } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { withoutCode, withoutCodeElements } from './without-code.ts';

/** How many signs of a text are looked at: who names so many names everybody, and each costs a look at many names. */
const MAX_SIGNS = 1_000;

interface Named {
  id: string;
  name: string;
}

/**
 * Not within a word, an address or a link (`ada@example.org`, `https://example.org/@ada`). The stars and underscores of
 * Markdown may stand before it.
 */
const AT = /(?<![\p{L}\p{N}\p{M}.%+/@=&#-]|[\p{L}\p{N}\p{M}]_+)@/gu;

/** A name must end where its word ends: `@Adam` and `@Ada-Maria` are not Ada, and `@ada@example.org` is nobody. */
const WORD_GOES_ON = /[_-]*[\p{L}\p{N}\p{M}]|@/uy;

/**
 * The ids of those whom a text names as `@name`: with the whole name, whatever the case, the longest that fits first; or with its
 * first word, if nobody else has that. What stands in code names nobody, and of two people of one name neither is named: it
 * cannot be told which one is meant.
 */
export function findMentions(texts: readonly string[], users: readonly Named[]): Set<string> {
  const found = new Set<string>();
  let byFirstCharacter: Map<string, Named[]> | undefined;
  for (const text of texts) {
    if (!text.includes('@')) continue;
    const readable = fold(withoutCode(text));
    byFirstCharacter ??= namesByFirstCharacter(users);
    for (const { index } of readable.matchAll(AT).take(MAX_SIGNS)) {
      const start = index + 1;
      const named = byFirstCharacter.get(readable.charAt(start))?.find(({ name }) => standsAt(readable, name, start));
      if (named) found.add(named.id);
    }
  }
  return found;
}

/** What the blocks of a message say, without what is code in them. */
export function readableBlocks(blocks: readonly Block[]): string {
  const outside = blocks.filter(({ type }) => type !== 'code');
  return blocksToText(
    JSON.parse(JSON.stringify(outside), (_, value) => (typeof value === 'string' ? withoutCodeElements(value) : value)),
  );
}

function standsAt(text: string, name: string, start: number): boolean {
  if (!text.startsWith(name, start)) return false;
  WORD_GOES_ON.lastIndex = start + name.length;
  return !WORD_GOES_ON.test(text);
}

/** Everything that may stand behind an `@`, the longest first, by the character that it begins with. */
function namesByFirstCharacter(users: readonly Named[]): Map<string, Named[]> {
  const whole = users.map(({ id, name }) => ({ id, name: fold(name) }));
  const firstWords = whole.map(({ id, name }) => ({ id, name: name.split(' ', 1)[0] ?? '' }));
  const names = [...unique(whole), ...unique(firstWords)].sort((one, other) => other.name.length - one.name.length);
  const byFirstCharacter = new Map<string, Named[]>();
  for (const named of names) {
    const first = named.name.charAt(0);
    if (first === '') continue;
    const others = byFirstCharacter.get(first);
    if (others) others.push(named);
    else byFirstCharacter.set(first, [named]);
  }
  return byFirstCharacter;
}

/** Without the names that several have: they name nobody in particular. */
function unique(names: readonly Named[]): Named[] {
  const counts = new Map<string, number>();
  for (const { name } of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.filter(({ name }) => counts.get(name) === 1);
}

/** So that spelling, case and line breaks make no difference. */
function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}
