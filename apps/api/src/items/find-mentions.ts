import type { Block } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { codeParts } from '@hub/contract/markdown/code-parts';
import { normalizeText } from '@hub/contract/normalize-text';

/** The maximum number of `@` signs checked per string, since each one is compared with many names. */
const MAX_AT_SIGNS = 1_000;

interface Named {
  id: string;
  name: string;
}

/**
 * An `@` that is not within a word, an address or a link (`ada@example.org`, `https://example.org/@ada`). Markdown
 * asterisks and underscores may precede it.
 */
const AT = /(?<![\p{L}\p{N}\p{M}.%+/@=&#-]|[\p{L}\p{N}\p{M}]_+)@/gu;

/** A name must end where its word ends: `@Adam`, `@Ada-Maria` and `@ada@example.org` do not mention Ada. */
const WORD_CONTINUES = /[_-]*[\p{L}\p{N}\p{M}]|@/uy;

/**
 * Returns the ids of the users that the strings mention as `@name`: by full name, in any letter case and with the
 * longest match first, or by the first word of a name if it is unique. Code mentions no one, and a name that several
 * users have mentions none of them, since it is ambiguous.
 */
export function findMentions(texts: readonly string[], users: readonly Named[]): Set<string> {
  const found = new Set<string>();
  let byFirstCharacter: Map<string, Named[]> | undefined;
  for (const text of texts) {
    if (!text.includes('@')) continue;
    const readable = normalize(withoutCode(text));
    byFirstCharacter ??= namesByFirstCharacter(users);
    for (const { index } of readable.matchAll(AT).take(MAX_AT_SIGNS)) {
      const start = index + 1;
      const named = byFirstCharacter.get(readable.charAt(start))?.find(({ name }) => isNameAt(readable, name, start));
      if (named) found.add(named.id);
    }
  }
  return found;
}

/** Returns the text of a message's blocks without the code in them. */
export function readableBlocks(blocks: readonly Block[]): string {
  const outside = blocks.filter(({ type }) => type !== 'code');
  return blocksToText(
    JSON.parse(JSON.stringify(outside), (_, value) => (typeof value === 'string' ? withoutCodeElements(value) : value)),
  );
}

function isNameAt(text: string, name: string, start: number): boolean {
  if (!text.startsWith(name, start)) return false;
  WORD_CONTINUES.lastIndex = start + name.length;
  return !WORD_CONTINUES.test(text);
}

/** Groups all names that may follow an `@` by their first character, longest first. */
function namesByFirstCharacter(users: readonly Named[]): Map<string, Named[]> {
  const whole = users.map(({ id, name }) => ({ id, name: normalize(name) }));
  const shortNames = whole.map(({ id, name }) => ({ id, name: name.split(' ', 1)[0] ?? '' }));
  const names = [...unique(whole), ...unique(shortNames)].sort((one, other) => other.name.length - one.name.length);
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

/** Removes names that several users have, since they are ambiguous. */
function unique(names: readonly Named[]): Named[] {
  const counts = new Map<string, number>();
  for (const { name } of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.filter(({ name }) => counts.get(name) === 1);
}

/** Normalizes Unicode form, case and white space for comparison. */
function normalize(text: string): string {
  return normalizeText(text, 'NFC').toLowerCase().replace(/\s+/g, ' ');
}

/** Whether these texts can mention anyone. Most mention no one, and need no look-up. */
export function mayMention({ title, body, blocks }: Record<'title' | 'body' | 'blocks', string | null>): boolean {
  return (blocks ?? body)?.includes('@') === true || title?.includes('@') === true;
}

/** Returns Markdown without its code and comments, in linear time. */
function withoutCode(markdown: string): string {
  return codeParts(markdown)
    .map(({ text, kind }) => (kind === 'text' ? text : ' '))
    .join('');
}

/** Returns HTML without its `code` elements. */
function withoutCodeElements(html: string): string {
  if (!html.includes('<code') && !html.includes('<CODE')) return html;
  let kept = '';
  let depth = 0;
  let from = 0;
  for (const tag of html.matchAll(/<(\/?)code\b[^<>]*>/gi)) {
    if (depth === 0) kept += html.slice(from, tag.index);
    depth = Math.max(0, depth + (tag[1] === '/' ? -1 : 1));
    from = tag.index + tag[0].length;
  }
  return depth === 0 ? `${kept} ${html.slice(from)}` : kept;
}
