import { decodeEntities } from '../blocks/html-entities.ts';
import type { NamedCharacters } from './named-characters.ts';

/** A shortcode after a backslash stays text. */
const SHORTCODE = /(?<!\\):([a-z0-9_+-]{1,60}):/g;
const NAMED = /&[A-Za-z][A-Za-z0-9]{1,31};|:[a-z0-9_+-]{1,60}:/;

/**
 * Replaces character references such as `&auml;` and GitHub shortcodes such as `:tada:` with their characters. Unknown
 * names stay unchanged.
 */
export function readText(text: string, names: Partial<NamedCharacters> | undefined): string {
  const emoji = names?.emoji;
  const read =
    emoji === undefined || !text.includes(':')
      ? text
      : text.replace(SHORTCODE, (code, name: string) => emoji.get(name) ?? code);
  return decodeEntities(read, names?.entities);
}

/** Returns whether the text may contain a named character, so that the list of names is needed to read it. */
export function mayNameCharacters(text: string): boolean {
  return NAMED.test(text);
}
