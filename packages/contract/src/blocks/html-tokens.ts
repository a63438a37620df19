/** A piece of inline HTML: text as it is written (references not decoded), or a tag. */
export type HtmlToken =
  | { kind: 'text'; text: string }
  | { kind: 'open'; name: string; attributes: Attributes; raw: string }
  | { kind: 'close'; name: string; raw: string }
  /** A declaration, an instruction or CDATA. */
  | { kind: 'other'; raw: string };

/** Values by lower-case name, as they are written (references not decoded). Of several with one name, the first counts. */
export type Attributes = ReadonlyMap<string, string>;
const NO_ATTRIBUTES: Attributes = new Map();

/**
 * Cuts inline HTML into text and tags, in one pass and in linear time. A `<` that begins no tag is text, so "a < b" and
 * "<3" stay whole. Where a tag or a comment never ends, the rest is text as it is written: nothing is lost, and no
 * second search for its end is made. The content of script and style is text, as it is in a browser's tree.
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

/** A tag, or a comment (no token), and the index after it. */
interface Mark {
  token: Exclude<HtmlToken, { kind: 'text' }> | null;
  end: number;
}

/** What the `<` at this index begins: nothing (null), a mark, or one that the text ends within. */
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

/** Reads a tag from its name on (WHATWG HTML, "tag name state" and after). */
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

/** From where the next tag may begin: after script and style only at their closing tag. */
function rawTextEnd(html: string, { token, end }: Mark): number {
  if (token?.kind !== 'open' || (token.name !== 'script' && token.name !== 'style')) return end;
  const closing = token.name === 'script' ? /<\/script/gi : /<\/style/gi;
  closing.lastIndex = end;
  return closing.exec(html)?.index ?? html.length;
}

/** The match of a sticky pattern at this index, or ''. */
function take(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function isLetter(character: string): boolean {
  return /^[A-Za-z]$/.test(character);
}
