import { decodeEntities } from '../blocks/html-entities.ts';
import type { NamedCharacters } from './named-characters.ts';

/** Scripts that write words without spaces, or join particles to names: anything may stand beside their letters. */
export const UNSPACED = `[${['Han', 'Hira', 'Kana', 'Bopo', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')}]`;
/** A letter or digit of a word of any other script. */
const WORD = String.raw`[[\p{L}\p{N}]--${UNSPACED}]`;
const ADDRESS = String.raw`(?:https?:\/\/|ftp:\/\/|www\.|mailto:)[^\s<>\(\)]+`;
/** Matches where a shortcode may start. */
export const SHORTCODE_START = String.raw`(?<!${WORD}|[:\/\\])`;
/**
 * An address, which stays unchanged; or one or more shortcodes, unless they belong to a word, a time or a path, such as
 * `a:b:c`, `10:30:00` or `std::map`. A shortcode after a backslash stays text.
 */
const SHORTCODES = new RegExp(`${ADDRESS}|${SHORTCODE_START}((?::[a-z0-9_+\\-]{1,60}:)+)(?!${WORD}|[:\\/])`, 'gv');
const NAME = /:([a-z0-9_+-]{1,60}):/g;
const ENTITY = /&[A-Za-z][A-Za-z0-9]{1,31};/;

/**
 * Replaces character references such as `&auml;` and GitHub shortcodes such as `:tada:` with their characters. Unknown
 * names stay unchanged. Takes linear time.
 */
export function readText(text: string, names: Partial<NamedCharacters> | undefined): string {
  const emoji = names?.emoji;
  const read =
    emoji === undefined || !text.includes(':')
      ? text
      : text.replace(SHORTCODES, (written, codes: string | undefined) =>
          codes === undefined ? written : codes.replace(NAME, (code, name: string) => emoji.get(name) ?? code),
        );
  return decodeEntities(read, names?.entities);
}

/** Returns whether the text may contain a named character, so that the list of names is needed to read it. */
export function mayNameCharacters(text: string): boolean {
  if (ENTITY.test(text)) return true;
  if (!text.includes(':')) return false;
  for (const [, codes] of text.matchAll(SHORTCODES)) if (codes !== undefined) return true;
  return false;
}
