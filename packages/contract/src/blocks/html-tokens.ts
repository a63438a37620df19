/** A token of inline HTML: raw text (references not decoded) or a tag. */
export type HtmlToken =
  | { kind: 'text'; text: string }
  | { kind: 'open'; name: string; attributes: Attributes; raw: string }
  | { kind: 'close'; name: string; raw: string }
  /** A declaration, an instruction or CDATA. */
  | { kind: 'other'; raw: string };

/** Raw values (references not decoded) by lower-case name. For duplicate names, the first value applies. */
export type Attributes = ReadonlyMap<string, string>;
const NO_ATTRIBUTES: Attributes = new Map();

/**
 * Splits inline HTML into text and tags, in one pass and in linear time. A `<` that does not begin a tag is text, so "a
 * < b" and "<3" are preserved. A tag or comment that never ends is raw text, and so is everything after it: nothing is
 * lost, and the rest is not searched again. The content of script and style is text, as in a browser's DOM.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let textFrom = 0;
  let at = html.indexOf('<');
  while (at !== -1) {
    const mark = markAt(html, at);
    if (mark === 'unfinished') break;
    if (mark === null) {
      at = html.indexOf('<', at + 1);
      continue;
    }
    if (at > textFrom) yield { kind: 'text', text: html.slice(textFrom, at) };
    if (mark.token !== null) yield mark.token;
    textFrom = mark.end;
    at = html.indexOf('<', rawTextEnd(html, mark));
  }
  if (textFrom < html.length) yield { kind: 'text', text: html.slice(textFrom) };
}

/** A tag or comment, and the index after it. A comment has no token. */
interface Mark {
  token: Exclude<HtmlToken, { kind: 'text' }> | null;
  end: number;
}

/** Returns the tag or comment that begins with the `<` at this index, null for plain text, or 'unfinished'. */
function markAt(html: string, at: number): Mark | 'unfinished' | null {
  const next = html.charAt(at + 1);
  if (isLetter(next)) return tagAt(html, at + 1, 'open');
  if (next === '/' && isLetter(html.charAt(at + 2))) return tagAt(html, at + 2, 'close');
  if (next !== '!' && next !== '?') return null;
  const isComment = html.startsWith('<!--', at);
  // The shortest comment is `<!-->`.
  const end = isComment ? html.indexOf('-->', at + 2) : html.indexOf('>', at + 2);
  if (end === -1) return 'unfinished';
  if (isComment) return { token: null, end: end + 3 };
  return { token: { kind: 'other', raw: html.slice(at, end + 1) }, end: end + 1 };
}

const nameCharacters = /[^\s/>]+/y;
const betweenAttributes = /[\s/]*/y;
const attributeName = /[^\s/>][^\s/>=]*/y;
const equals = /\s*=\s*/y;
const bareValue = /[^\s>]*/y;

/** Reads a tag, starting at its name (WHATWG HTML, "tag name state" and later states). */
function tagAt(html: string, nameAt: number, kind: 'open' | 'close'): Mark | 'unfinished' {
  const name = take(nameCharacters, html, nameAt);
  const tag = name.toLowerCase();
  let attributes: Map<string, string> | null = null;
  let at = nameAt + name.length;
  for (;;) {
    at += take(betweenAttributes, html, at).length;
    if (at >= html.length) return 'unfinished';
    if (html.charAt(at) === '>') break;
    const written = take(attributeName, html, at);
    const attribute = written.toLowerCase();
    at += written.length;
    attributes ??= new Map();
    const assignment = take(equals, html, at);
    if (assignment === '') {
      if (!attributes.has(attribute)) attributes.set(attribute, '');
      continue;
    }
    at += assignment.length;
    const quote = html.charAt(at);
    const isQuoted = quote === '"' || quote === "'";
    const closing = isQuoted ? html.indexOf(quote, at + 1) : -1;
    if (isQuoted && closing === -1) return 'unfinished';
    const value = isQuoted ? html.slice(at + 1, closing) : take(bareValue, html, at);
    at = isQuoted ? closing + 1 : at + value.length;
    if (!attributes.has(attribute)) attributes.set(attribute, value);
  }
  const raw = html.slice(nameAt - (kind === 'open' ? 1 : 2), at + 1);
  const token: Mark['token'] =
    kind === 'open' ? { kind, name: tag, attributes: attributes ?? NO_ATTRIBUTES, raw } : { kind, name: tag, raw };
  return { token, end: at + 1 };
}

/**
 * Returns the index from which to look for the next tag. After an opening script or style tag, that is the index of its
 * closing tag.
 */
function rawTextEnd(html: string, { token, end }: Mark): number {
  if (token?.kind !== 'open' || (token.name !== 'script' && token.name !== 'style')) return end;
  const closing = token.name === 'script' ? /<\/script/gi : /<\/style/gi;
  closing.lastIndex = end;
  return closing.exec(html)?.index ?? html.length;
}

/** Returns the match of a sticky pattern at this index, or ''. */
function take(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function isLetter(character: string): boolean {
  return /^[A-Za-z]$/.test(character);
}
