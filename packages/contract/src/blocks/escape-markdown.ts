/** ASCII punctuation: what a backslash makes literal (CommonMark 0.31, section 2.4). */
const PUNCTUATION = /[!-/:-@[-`{-~]/;
/** What would begin or end something within a line, apart from `_` within a word; and an address, which needs no escapes. */
const MEANINGFUL =
  /https?:\/\/[^\s<>]+|[`*[\]~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\\|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]{1,32};)|:(?=[a-z0-9_+-]{1,60}:)|!$/gu;
/** What closes a sentence rather than an address. */
const AFTER_ADDRESS = '?!.,:;*_~\'")]';

/** Text as Markdown in which nothing of it is a sign. What stands at the beginning of a line, `escapeLine` looks at. */
export function escapeText(text: string, { withAddresses }: { withAddresses: boolean }): string {
  return text.replace(MEANINGFUL, (found) => {
    if (!found.startsWith('http')) return `\\${found}`;
    let end = found.length;
    while (AFTER_ADDRESS.includes(found.charAt(end - 1))) end -= 1;
    const address = found.slice(0, end);
    const rest = found.slice(end);
    if (!withAddresses || !isAutolink(address)) return escapePunctuation(found);
    return `<${address}>${escapePunctuation(rest)}`;
  });
}

/** Whether an address between `<` and `>` is a link (section 6.5). */
export function isAutolink(address: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}<>]+$/iu.test(address);
}

function escapePunctuation(text: string): string {
  return text.replace(/[\\`*_[\]<>&~!]|:(?=[a-z0-9_+-]{1,60}:)/g, '\\$&');
}

/** What would make a heading, a list, a quotation, a line or a table of a line of text (sections 4 and 5, GFM section 4.10). */
export function escapeLine(line: string): string {
  if (/^(?:>|#{1,6}(?:\s|$)|[-+](?:\s|$)|[-=:|+][-=:|\s]*$)/.test(line)) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** In a heading, the signs at its end would be taken for its closing ones (section 4.2). */
export function escapeHeading(line: string): string {
  let start = line.length;
  while (line.charAt(start - 1) === '#') start -= 1;
  const closes = start < line.length && (start === 0 || line.charAt(start - 1) === ' ');
  return closes ? `${line.slice(0, start)}\\${line.slice(start)}` : line;
}

/** Where a link leads, for `(…)` (section 6.3). */
export function linkDestination(href: string): string {
  const encoded = href.toWellFormed().replace(/[\s\p{Cc}<>\\|"`]/gu, (character) => encodeURIComponent(character));
  return encoded.replace(/[()*_~[\]&]/g, '\\$&');
}

/** Code within a line, between as many backticks as it needs (section 6.1). */
export function codeSpan(code: string): string {
  const fence = '`'.repeat(longestRun(code) + 1);
  const needsRoom = code.startsWith('`') || code.endsWith('`') || (code.startsWith(' ') && code.endsWith(' '));
  const room = needsRoom ? ' ' : '';
  return `${fence}${room}${code}${room}${fence}`;
}

/** Code as a block of its own (section 4.5). */
export function codeBlock(code: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}\n${code}\n${fence}`;
}

function longestRun(code: string): number {
  let longest = 0;
  for (const run of code.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  return longest;
}

/** Whether a delimiter may stand beside this character whatever it delimits: an end, a blank, a line break, or a sign. */
export function isOpenGround(character: string): boolean {
  return character === '' || /\s/u.test(character) || PUNCTUATION.test(character);
}
