import { decodeEntities } from '@hub/contract/blocks/html-entities';
import { type Attributes, type HtmlToken, htmlTokens } from '@hub/contract/blocks/html-tokens';
import { type AlertKind, alertTitle } from '@hub/contract/markdown/alert-kinds';
import { codeParts } from '@hub/contract/markdown/code-parts';
import { namedCharacters } from '@hub/contract/markdown/named-characters';
import { HTML_BLOCKS, HTML_TAGS } from '@hub/contract/markdown/nest-html';
import { readText } from '@hub/contract/markdown/shortcodes';

/** The SGR codes that turn the style of an HTML tag on and off (ECMA-48, section 8.3.117). */
const TAG_STYLES: Readonly<Record<string, readonly [on: number, off: number]>> = {
  b: [1, 22],
  strong: [1, 22],
  i: [3, 23],
  em: [3, 23],
  ins: [4, 24],
  s: [9, 29],
  del: [9, 29],
  code: [36, 39],
  kbd: [36, 39],
};
const [BOLD, NOT_BOLD, UNDERLINE, NOT_UNDERLINED] = [1, 22, 4, 24];

/** The first of the tag characters: invisible, without width, and never part of a sanitized text. */
const FIRST_MARK = 0xe0000;
export const INVISIBLE = '\u200b';
const [CELL, ROW] = [mark(100), mark(101)];

/** The Markdown for the start and the end of HTML tags. Other blocks have an empty line around them. */
const OPENINGS: Readonly<Record<string, string>> = {
  br: '  \n',
  hr: '\n\n---\n\n',
  pre: '\n\n```\n',
  summary: `\n\n${mark(BOLD)}▾ `,
  blockquote: '\n\n> ',
  thead: '',
  tbody: '',
  tfoot: '',
  tr: ROW,
  th: CELL,
  td: CELL,
};
const CLOSINGS: Readonly<Record<string, string>> = {
  pre: '\n```\n\n',
  summary: `${mark(NOT_BOLD)}\n\n`,
  ...Object.fromEntries(['li', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map((tag) => [tag, ''])),
};

const SAFE_URL = /^\s*(?:https?:|mailto:)/i;
const ALERT = /^([> \t]*>[ \t]*)\[!(note|tip|important|warning|caution)\][ \t]*$/gim;
/** An odd number of backslashes at the end, the last of which escapes what follows. */
const ESCAPE = /(?<!\\)(?:\\\\)*\\$/;
/** From this length on, code is not highlighted, since that does not take linear time. */
const MAX_HIGHLIGHTED = 20_000;

/** An invisible character that stands for the SGR code of a style, since HTML may style text where Markdown cannot. */
function mark(code: number): string {
  return String.fromCodePoint(FIRST_MARK + code);
}

/** Matches the marks, capturing none. `codeOfMark` returns the SGR code. */
export const MARKS = /[\u{e0001}-\u{e007f}]/gu;
export function codeOfMark(character: string): string {
  return String((character.codePointAt(0) ?? 0) - FIRST_MARK);
}

/**
 * Returns the Markdown of a post in the dialect of the renderer: with the line breaks as written, HTML as Markdown or
 * marks, no comments, titles of alerts, and emoji for shortcodes. Unknown tags stay text. Expects sanitized text, and
 * takes linear time.
 */
export function plainerMarkdown(markdown: string): string {
  const reader = new HtmlReader();
  for (const { text, kind } of codeParts(markdown)) {
    if (kind === 'code') reader.add(text);
    else if (kind === 'text') reader.read(text);
  }
  const read = reader.end();
  return read.length < MAX_HIGHLIGHTED ? read : read.replaceAll(/^([ \t>*+.)\d-]*(?:`{3,}|~{3,}))[^`\n]*$/gm, '$1');
}

class HtmlReader {
  #out = '';
  /** The open links with their text. */
  readonly #links: { address: string; text: string }[] = [];
  /** The next numbers of the open lists; undefined for a bulleted list. */
  readonly #lists: (number | undefined)[] = [];
  /** The content of the outermost open table. */
  #table = '';
  #openTables = 0;

  add(text: string): void {
    if (this.#openTables > 0) this.#table += text;
    else this.#out += text;
    const link = this.#links.at(-1);
    if (link && link.text.length <= link.address.length) link.text += text;
  }

  read(text: string): void {
    let isEscaped = false;
    for (const token of htmlTokens(text)) {
      if (token.kind === 'text') this.#text(token.text);
      else if (isEscaped || !isTag(token)) this.add(token.raw);
      else if (token.kind === 'open') this.#open(token.name, token.attributes, token.raw);
      else this.#close(token.name);
      isEscaped = token.kind === 'text' && ESCAPE.test(token.text.slice(-64));
    }
  }

  end(): string {
    this.#openTables = Math.min(1, this.#openTables);
    this.#closeTable();
    return this.#out;
  }

  #text(written: string): void {
    const text = readText(written, { emoji: namedCharacters.emoji, entities: {} });
    if (this.#openTables > 0) this.add(text.replaceAll('|', '\\|'));
    else {
      this.add(
        text
          .replace(
            ALERT,
            (_, quote: string, kind: string) => `${quote}**${alertTitle(kind.toLowerCase() as AlertKind)}**`,
          )
          // An invisible space, since this is not a link to a wiki page.
          .replaceAll('[[', `[${INVISIBLE}[`)
          // Two spaces keep the line break. After a backslash, it is kept anyway.
          .replaceAll(/(?<!\\)\n/g, '  \n'),
      );
    }
  }

  #open(tag: string, attributes: Attributes, raw: string): void {
    const value = (name: string) => decodeEntities(attributes.get(name) ?? '', namedCharacters.entities).trim();
    const [on] = TAG_STYLES[tag] ?? [];
    if (on !== undefined) this.add(mark(on));
    else if (tag === 'a') this.#openLink(value('href'));
    else if (tag === 'img') this.add(SAFE_URL.test(value('src')) ? image(value('alt'), value('src')) : raw);
    else if (tag === 'table') this.#openTable();
    else if (tag === 'ul') this.#openList(undefined);
    else if (tag === 'ol') this.#openList(Number.parseInt(value('start'), 10) || 1);
    else if (tag === 'li') this.#openItem();
    else if (/^h[1-6]$/.test(tag)) this.add(`\n\n${'#'.repeat(Number(tag[1]))} `);
    else this.add(OPENINGS[tag] ?? (HTML_BLOCKS.has(tag) ? '\n\n' : ''));
  }

  #close(tag: string): void {
    const [, off] = TAG_STYLES[tag] ?? [];
    if (off !== undefined) this.add(mark(off));
    else if (tag === 'a') this.#closeLink();
    else if (tag === 'table') this.#closeTable();
    else if (tag === 'ul' || tag === 'ol') {
      this.#lists.pop();
      if (this.#lists.length === 0) this.add('\n\n');
    } else this.add(CLOSINGS[tag] ?? (HTML_BLOCKS.has(tag) ? '\n\n' : ''));
  }

  /** Opens a link. One with an unsafe address is only text. */
  #openLink(address: string): void {
    const isSafe = SAFE_URL.test(address);
    if (isSafe) this.add(mark(UNDERLINE));
    this.#links.push({ address: isSafe ? address : '', text: '' });
  }

  #closeLink(): void {
    const { address, text } = this.#links.pop() ?? { address: '', text: '' };
    this.add(mark(NOT_UNDERLINED));
    if (address !== '' && text.trim() !== address) this.add(` (<${escaped(address)}>)`);
  }

  #openList(start: number | undefined): void {
    // Only a list that starts with 1 can follow text without an empty line.
    if (this.#lists.length === 0 || (start ?? 1) !== 1) this.add('\n\n');
    this.#lists.push(start);
  }

  #openItem(): void {
    const number = this.#lists.at(-1);
    if (number !== undefined) this.#lists[this.#lists.length - 1] = number + 1;
    const indent = '    '.repeat(Math.min(10, Math.max(0, this.#lists.length - 1)));
    this.add(this.#openTables > 0 ? ' ' : `\n${indent}${number === undefined ? '-' : `${number}.`} `);
  }

  #openTable(): void {
    this.#openTables += 1;
    if (this.#openTables === 1) this.#table = '';
  }

  /** Converts a table, whose cells then have one line each. A table in a table becomes part of its cell. */
  #closeTable(): void {
    if (this.#openTables === 0) return;
    this.#openTables -= 1;
    if (this.#openTables > 0) return;
    const [caption = '', ...rows] = this.#table.split(ROW);
    const cells = rows.map((row) =>
      row
        .split(CELL)
        .slice(1)
        .map((cell) => cell.replaceAll(/\s+/g, ' ').trim()),
    );
    const width = Math.max(0, ...cells.map((row) => row.length));
    const line = (row: readonly string[]) => `| ${[...row, ...Array(width - row.length).fill('')].join(' | ')} |`;
    const [head = [], ...body] = cells;
    const table = width === 0 ? [] : [head, Array(width).fill('---'), ...body].map(line);
    this.add(`${caption.trim()}\n\n${table.join('\n')}\n\n`);
  }
}

function isTag(token: HtmlToken): token is Extract<HtmlToken, { name: string }> {
  return 'name' in token && HTML_TAGS.has(token.name);
}

function image(alt: string, address: string): string {
  return `![${alt.replaceAll(/[[\]\\]/g, '\\$&')}](<${escaped(address)}>)`;
}

/** Escapes the characters that would end an address in angle brackets. */
function escaped(address: string): string {
  return address.replaceAll(/[<>\\\s]/g, encodeURIComponent);
}
