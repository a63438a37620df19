import { decodeEntities } from '../blocks/html-entities.ts';
import { type Attributes, type HtmlToken, htmlTokens } from '../blocks/html-tokens.ts';
import { codeParts } from './code-parts.ts';
import type { NamedCharacters } from './named-characters.ts';
import { HTML_BLOCKS, HTML_TAGS } from './nest-html.ts';
import { mayNameCharacters, readText } from './shortcodes.ts';
import { withoutEscapes } from './without-escapes.ts';

const ALERT_MARK = /^((?: {0,3}>[ \t]?)+)\[!(?:note|tip|important|warning|caution)\][ \t]*$/gim;
/** An odd number of backslashes at the end, the last of which escapes what follows. */
const ESCAPE = /(?<!\\)(?:\\\\)*\\$/;
const ADDRESS_OF = { a: 'href', img: 'src' } as const;

interface WithoutHtmlOptions {
  names?: Partial<NamedCharacters> | undefined;
  /** Keeps the URLs of links and images, as in Markdown. */
  hasAddresses?: boolean;
}

/**
 * Returns Markdown text without the parts that are not visible text in a post: HTML tags (block tags become line
 * breaks), comments, alert markers and terminal escape sequences. Named characters are decoded. Code and Markdown
 * syntax stay unchanged. Takes linear time.
 */
export function withoutHtml(markdown: string, { names, hasAddresses = false }: WithoutHtmlOptions = {}): string {
  const text = withoutEscapes(markdown);
  if (!/[<&]|\[!/.test(text) && !(names?.emoji && mayNameCharacters(text))) return text;
  return codeParts(text)
    .map(({ text: part, kind }) => {
      if (kind === 'comment') return '';
      return kind === 'code' ? part : readPart(part, { names, hasAddresses });
    })
    .join('');
}

function readPart(text: string, { names, hasAddresses }: Required<WithoutHtmlOptions>): string {
  const unmarked = text.replace(ALERT_MARK, '$1');
  if (!unmarked.includes('<')) return readText(unmarked, names);
  let read = '';
  let isEscaped = false;
  for (const token of htmlTokens(unmarked)) {
    if (token.kind === 'text') read += readText(token.text, names);
    else if (!isTag(token) || isEscaped) read += token.raw;
    else if (token.kind === 'open') read += textOfTag(token.name, token.attributes, { names, hasAddresses });
    else if (HTML_BLOCKS.has(token.name)) read += '\n';
    isEscaped = token.kind === 'text' && ESCAPE.test(token.text.slice(-64));
  }
  return read;
}

function isTag(token: HtmlToken): token is Extract<HtmlToken, { name: string }> {
  return 'name' in token && HTML_TAGS.has(token.name);
}

function textOfTag(tag: string, attributes: Attributes, { names, hasAddresses }: Required<WithoutHtmlOptions>): string {
  const value = (name: string) => decodeEntities(attributes.get(name) ?? '', names?.entities).replace(/\s+/g, ' ');
  const address = hasAddresses && Object.hasOwn(ADDRESS_OF, tag) ? ` ${value(ADDRESS_OF[tag as 'a' | 'img'])} ` : '';
  if (tag === 'img') return value('alt') + address;
  if (tag === 'br') return ' ';
  if (tag === 'td' || tag === 'th') return ' ';
  return HTML_BLOCKS.has(tag) ? '\n' : address;
}
