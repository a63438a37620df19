import type { Block } from '@hub/contract';
import { blocksToMarkdown } from '@hub/contract/blocks/blocks-to-markdown';
import { type Line, type Style, textOf } from './output.ts';
import { codeOfMark, INVISIBLE, MARKS, plainerMarkdown } from './post-markdown.ts';
import { plainText } from './terminal-text.ts';

const COLORS: ReadonlySet<Style> = new Set(['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'gray']);
/** The styles that the renderer turns on, by SGR code. Other codes, such as backgrounds, are dropped. */
const ON: Readonly<Record<string, Style>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  9: 'strikethrough',
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  '38;5;215': 'cyan',
  // The bar of a quote.
  '38;5;242': 'gray',
};
const OFF: Readonly<Record<string, readonly Style[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  29: ['strikethrough'],
  39: [...COLORS],
};

/** An SGR sequence, the start or end of a link, or a mark. */
const TOKEN = new RegExp(`\x1b\\[([\\d;]*)m|\x1b\\]8;;([^\x1b]*)\x1b\\\\|(${MARKS.source})`, 'gu');

/** Deeper content is not indented further. */
const MAX_INDENT = 80;
const TOO_DEEP = new RegExp(`^ {${MAX_INDENT},}`);

/** Formats Markdown for the terminal. `columns` limits the width of paragraphs and tables; 0 does not. */
export function markdownLines(markdown: string, columns = 0): Line[] {
  return linesOf(markdownToAnsi(plainerMarkdown(plainText(markdown)), columns));
}

/** Formats Editor.js blocks like the equivalent Markdown. */
export function blocksLines(blocks: readonly Block[], columns = 0): Line[] {
  return markdownLines(blocksToMarkdown(sanitized(blocks)), columns);
}

/** Removes escape sequences, which would be harder to recognize between the backslashes of Markdown. */
function sanitized(blocks: readonly Block[]): Block[] {
  return JSON.parse(JSON.stringify(blocks), (_, value) => (typeof value === 'string' ? plainText(value) : value));
}

/**
 * The renderer's marker of a checked task, after the indent, the bars and the bullets of what it is in. A ☒ in a text
 * follows other characters, or has no color of its own.
 */
const [BAR, BULLET] = ['\x1b\\[38;5;242m│ \x1b\\[39m', '\x1b\\[36m[^\x1b\n]* \x1b\\[0m'];
const CHECKED = new RegExp(`^((?: |${BAR}|${BULLET})*\x1b\\[32m)☒(?= \x1b\\[0m)`, 'gm');

/**
 * Renders Markdown with colors, and with links as OSC 8 sequences. `columns` limits the width of paragraphs and tables,
 * 0 does not. The text must not contain control characters; character references in it never become any.
 */
function markdownToAnsi(markdown: string, columns: number): string {
  return Bun.markdown.ansi(markdown, { colors: true, hyperlinks: true, columns }).replaceAll(CHECKED, '$1☑');
}

/** Reads the rendered text as segments, so that it is printed like all other text: sanitized, and colored if wanted. */
function linesOf(ansi: string): Line[] {
  const reader = new AnsiReader();
  let from = 0;
  for (const { 0: token, 1: code, 2: address, 3: marked, index } of ansi.matchAll(TOKEN)) {
    reader.write(ansi.slice(from, index));
    from = index + token.length;
    if (address !== undefined) reader.link(address);
    else reader.style(marked === undefined ? (code ?? '') : codeOfMark(marked));
  }
  reader.write(ansi.slice(from));
  return trimmed(reader.end());
}

class AnsiReader {
  readonly #lines: Line[] = [[]];
  #styles: Style[] = [];
  #link: { address: string; text: string } | undefined;
  #isInTable = false;
  /** The position of the bar before each line of code. */
  #codeColumn: number | undefined;
  /** The position of the line after the last table or code. */
  #afterBlock: number | undefined;
  /** The texts of the links in the current table by address, shown below it. */
  readonly #notes = new Map<string, string>();

  style(code: string): void {
    const [on, off] = [ON[code], OFF[code]];
    if (code === '' || code === '0') this.#styles = [];
    else if (off) this.#styles = this.#styles.filter((style) => !off.includes(style));
    else if (on && COLORS.has(on)) this.#styles = [...this.#styles.filter((style) => !COLORS.has(style)), on];
    else if (on && !this.#styles.includes(on)) this.#styles.push(on);
  }

  /** Starts a link, or ends it if the address is empty. */
  link(address: string): void {
    const { text = '', address: open } = this.#link ?? {};
    this.#link = address === '' ? undefined : { address, text: '' };
    if (open === undefined || saysAll(text, open)) return;
    if (this.#isInTable) this.#notes.set(open, `${this.#notes.get(open) ?? ''} ${text}`.trim());
    else this.#push(text === '' ? open : ` (${open})`, ['dim']);
  }

  write(text: string): void {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) this.#endLine();
      this.#push(part, this.#styles);
    }
    if (this.#link) this.#link.text += text;
  }

  end(): Line[] {
    this.#separate();
    this.#endTable();
    return this.#lines;
  }

  #push(written: string, styles: readonly Style[]): void {
    const line = this.#lines.at(-1);
    const visible = written.replaceAll(INVISIBLE, '');
    const text = line?.length === 0 ? visible.replace(TOO_DEEP, ' '.repeat(MAX_INDENT)) : visible;
    if (text !== '') line?.push(styles.length === 0 ? text : { text, style: [...styles] });
  }

  /** Adds an empty line between a table or code and what follows. */
  #separate(): void {
    if (this.#afterBlock !== this.#lines.length - 1) return;
    if (textOf(this.#lines.at(-1) ?? []).trim() !== '') this.#lines.splice(-1, 0, []);
  }

  #endLine(): void {
    this.#separate();
    const line = this.#lines.at(-1) ?? [];
    const text = textOf(line);
    const border = dimmed(line.at(-1));
    const frame = line.find((segment) => /^[┌└]─ ?$/.test(dimmed(segment)));
    if (frame !== undefined && !/[┐┘]/.test(border)) {
      // Code is indented instead of framed, so that it can be copied.
      this.#codeColumn = dimmed(frame).startsWith('┌') ? text.indexOf('┌') : undefined;
      this.#lines.pop();
    } else if (this.#codeColumn !== undefined) {
      this.#lines[this.#lines.length - 1] = withSpaceAt(line, this.#codeColumn);
    } else if (border.endsWith('┐')) {
      this.#isInTable = true;
    } else if (border.endsWith('┤') && /^[\s│]*$/.test(textOf(this.#lines.at(-2) ?? []))) {
      // An empty heading.
      this.#lines.splice(-2);
    }
    this.#lines.push([]);
    if (border.endsWith('┘')) this.#endTable();
    if (/[└┘]/.test(border) || (frame !== undefined && dimmed(frame).startsWith('└'))) {
      this.#afterBlock = this.#lines.length - 1;
    }
  }

  #endTable(): void {
    this.#isInTable = false;
    for (const [address, text] of this.#notes) {
      if (saysAll(text, address)) continue;
      this.#push(`${text}: ${address}`, ['dim']);
      this.#lines.push([]);
    }
    this.#notes.clear();
  }
}

function dimmed(segment: Line[number] | undefined): string {
  return typeof segment === 'object' && segment.style.includes('dim') ? segment.text : '';
}

/** Replaces the character at this position of the line. */
function withSpaceAt(line: Line, position: number): Line {
  let from = position;
  return line.map((segment) => {
    const text = typeof segment === 'string' ? segment : segment.text;
    const at = from;
    from -= text.length;
    if (at < 0 || at >= text.length) return segment;
    const spaced = `${text.slice(0, at)} ${text.slice(at + 1)}`;
    return typeof segment === 'string' ? spaced : { ...segment, text: spaced };
  });
}

/** Returns whether the text of a link shows its address, as far as it matters, even if it was wrapped. */
function saysAll(text: string, address: string): boolean {
  const label = text.replaceAll(/[\s│]+/g, '');
  return [label, `${label}/`, `mailto:${label}`, `http://${label}`].includes(address.replaceAll(/\s+/g, ''));
}

function trimmed(lines: Line[]): Line[] {
  const isBlank = (line: Line) => textOf(line).trim() === '';
  const first = lines.findIndex((line) => !isBlank(line));
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}
