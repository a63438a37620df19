import { decodeEntities } from '../blocks/html-entities.ts';
import type { NamedCharacters } from './named-characters.ts';

/** A backslash makes text of one. */
const SHORTCODE = /(?<!\\):([a-z0-9_+-]{1,60}):/g;
const NAMED = /&[A-Za-z][A-Za-z0-9]{1,31};|:[a-z0-9_+-]{1,60}:/;

/**
 * Puts the characters that a text names: of references as in `&auml;`, and of GitHub's shortcodes as in `:tada:`. Names that are not
 * known stay as they were written.
 */
export function readText(text: string, names: Partial<NamedCharacters> | undefined): string {
  const emoji = names?.emoji;
  const read =
    emoji === undefined || !text.includes(':')
      ? text
      : text.replace(SHORTCODE, (code, name: string) => emoji.get(name) ?? code);
  return decodeEntities(read, names?.entities);
}

/** Returns whether a text may name a character, so that it cannot be read in full without their names. */
export function mayNameCharacters(text: string): boolean {
  return NAMED.test(text);
}
