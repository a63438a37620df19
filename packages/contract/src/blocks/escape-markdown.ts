import { AFTER_SCHEME, withoutTrail } from '../markdown/bare-address.ts';

/** ASCII punctuation, which a backslash can escape (CommonMark 0.31, section 2.4). */
const PUNCTUATION = /[!-/:-@[-`{-~]/;
/** Inline Markdown syntax, except `_` inside a word. URLs are matched too, because they need no escapes. */
const SYNTAX = new RegExp(
  String.raw`https?:\/\/${AFTER_SCHEME}|[\x60*[\]~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\\|<(?=[A-Za-z\/!?]|[\w.#$%&'*+=^\x60{|}~\-]+@)|&(?=#?[A-Za-z0-9]{1,32};)|:(?=[a-z0-9_+\-]{1,60}:)|!$`,
  'gu',
);

/** Escapes inline Markdown syntax in text. `escapeLine` escapes the syntax at the beginning of a line. */
export function escapeText(text: string, { withAddresses }: { withAddresses: boolean }): string {
  return text.replace(SYNTAX, (syntax) => {
    if (!syntax.startsWith('http')) return `\\${syntax}`;
    const address = withoutTrail(syntax);
    const rest = syntax.slice(address.length);
    if (!withAddresses || !isAutolink(address)) return escapePunctuation(syntax);
    return `<${address}>${escapePunctuation(rest)}`;
  });
}

/** Returns whether a URL between `<` and `>` is a link (section 6.5). */
export function isAutolink(address: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}<>]+$/iu.test(address);
}

function escapePunctuation(text: string): string {
  return text.replace(/[\\`*_[\]<>&~!]|:(?=[a-z0-9_+-]{1,60}:)/g, '\\$&');
}

/** Escapes a line that would be read as a heading, list, quote, rule or table (sections 4 and 5, GFM section 4.10). */
export function escapeLine(line: string): string {
  if (/^(?:>|#{1,6}(?:\s|$)|[-+](?:\s|$)|[-=:|+][-=:|\s]*$)/.test(line)) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** Escapes `#` at the end of a heading, which would be its closing sequence (section 4.2). */
export function escapeHeading(line: string): string {
  let start = line.length;
  while (line.charAt(start - 1) === '#') start -= 1;
  const closes = start < line.length && (start === 0 || line.charAt(start - 1) === ' ');
  return closes ? `${line.slice(0, start)}\\${line.slice(start)}` : line;
}

/** Returns the destination of a link, for `(…)` (section 6.3). */
export function linkDestination(href: string): string {
  const encoded = href.toWellFormed().replace(/[\s\p{Cc}<>\\|"`]/gu, (character) => encodeURIComponent(character));
  return encoded.replace(/[()*_~[\]&]/g, '\\$&');
}

/** Returns inline code between as many backticks as it needs (section 6.1). */
export function codeSpan(code: string): string {
  const fence = '`'.repeat(maxRunLength(code) + 1);
  const needsPadding = code.startsWith('`') || code.endsWith('`') || (code.startsWith(' ') && code.endsWith(' '));
  const padding = needsPadding ? ' ' : '';
  return `${fence}${padding}${code}${padding}${fence}`;
}

/** Returns a fenced code block (section 4.5). */
export function codeBlock(code: string): string {
  const fence = '`'.repeat(Math.max(3, maxRunLength(code) + 1));
  return `${fence}\n${code}\n${fence}`;
}

function maxRunLength(code: string): number {
  let max = 0;
  for (const run of code.matchAll(/`+/g)) max = Math.max(max, run[0].length);
  return max;
}

/** Returns whether any delimiter works next to this character: white space, punctuation, or the end (''). */
export function isDelimiterBoundary(character: string): boolean {
  return character === '' || /\s/u.test(character) || PUNCTUATION.test(character);
}
