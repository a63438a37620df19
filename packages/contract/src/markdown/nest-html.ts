import { type Attributes, htmlTokens } from '../blocks/html-tokens.ts';
import type { NamedCharacters } from './named-characters.ts';
import { readText } from './shortcodes.ts';

const FORMAT_TAGS = 'b strong i em s del ins code kbd sub sup a'.split(' ');
const TABLE_TAGS = 'table thead tbody tfoot tr th td'.split(' ');
const BLOCK_TAGS = 'details summary p div blockquote pre ul ol li h1 h2 h3 h4 h5 h6 hr'.split(' ').concat(TABLE_TAGS);
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const FORMATS: ReadonlySet<string> = new Set(FORMAT_TAGS);
const TABLE_PARTS: ReadonlySet<string> = new Set(TABLE_TAGS.slice(1));
const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img']);
export const HTML_BLOCKS: ReadonlySet<string> = new Set(BLOCK_TAGS);
/** The tags that posts may use, based on those that GitHub allows. */
export const HTML_TAGS: ReadonlySet<string> = new Set([...FORMAT_TAGS, ...BLOCK_TAGS, 'br', 'img']);

/**
 * The open elements that an opening tag closes (WHATWG HTML, "optional tags"). Elements outside the nearest one in
 * `within` stay open.
 */
const ENDED_BY = new Map<string, { ends: ReadonlySet<string>; within: ReadonlySet<string> }>();
for (const [tags, ends, within] of [
  [BLOCK_TAGS, ['p'], ['table', 'th', 'td']],
  [HEADINGS, ['p', ...HEADINGS], ['table', 'th', 'td']],
  [['li'], ['li', 'p'], ['ul', 'ol', 'table', 'th', 'td']],
  [
    ['th', 'td'],
    ['th', 'td'],
    ['tr', 'table'],
  ],
  [['tr'], ['tr'], ['thead', 'tbody', 'tfoot', 'table']],
  [['thead', 'tbody', 'tfoot'], ['thead', 'tbody', 'tfoot', 'tr'], ['table']],
  [['a'], ['a'], ['table', 'th', 'td']],
] as const) {
  for (const tag of tags) ENDED_BY.set(tag, { ends: new Set(ends), within: new Set(within) });
}
const CELLS: ReadonlySet<string> = new Set(['table', 'th', 'td']);

/** Creates the nodes of the result. */
interface HtmlBuilder<Node> {
  text(text: string): Node;
  element(tag: string, attributes: Attributes, children: Node[], raw: string): readonly Node[];
  /** Returns whether one more element fits, `depth` levels down. Elements that do not fit are shown as text. */
  hasRoom(depth: number): boolean;
}

interface OpenElement<Node> {
  tag: string;
  attributes: Attributes;
  raw: string;
  children: Node[];
}

/** Returns whether HTML contains a tag that posts may use, or a comment. */
export function hasKnownHtml(html: string): boolean {
  if (html.includes('<!--')) return true;
  for (const token of htmlTokens(html)) if ('name' in token && HTML_TAGS.has(token.name)) return true;
  return false;
}

/**
 * Nests the content between HTML tags in Markdown text: `read` takes raw HTML, and `add` the rendered Markdown around
 * it. Comments are dropped, and tags that posts may not use become text. Takes linear time. The builder limits the
 * number of open elements.
 */
export class HtmlNesting<Node> {
  readonly #builder: HtmlBuilder<Node>;
  readonly #names: NamedCharacters | undefined;
  readonly #roots: Node[] = [];
  #open: OpenElement<Node>[] = [];
  /** The number of opening tags that did not fit, by name. The same number of closing tags become text too. */
  readonly #skipped = new Map<string, number>();

  constructor(builder: HtmlBuilder<Node>, names?: NamedCharacters) {
    this.#builder = builder;
    this.#names = names;
  }

  /** The number of open elements. */
  get depth(): number {
    return this.#open.length;
  }

  isWithin(tag: string): boolean {
    return this.#open.some((element) => element.tag === tag);
  }

  add(...nodes: readonly Node[]): void {
    const children = this.#open.at(-1)?.children ?? this.#roots;
    for (const node of nodes) children.push(node);
  }

  /** Reads an HTML block or an inline tag. White space is collapsed, except in `pre`. */
  read(html: string): void {
    for (const token of htmlTokens(html)) {
      if (token.kind === 'text') this.#addText(token.text);
      else if (token.kind === 'other' || !HTML_TAGS.has(token.name)) this.add(this.#builder.text(token.raw));
      else if (token.kind === 'close') this.#close(token.name, token.raw);
      else this.#openTag(token.name, token.attributes, token.raw);
    }
  }

  /** Closes all open elements and returns the nodes. */
  end(): Node[] {
    this.#closeDownTo(0);
    return this.#roots;
  }

  #addText(written: string): void {
    const text = this.isWithin('pre') ? written : written.replace(/\s+/g, ' ');
    this.add(this.#builder.text(readText(text, this.#names)));
  }

  #openTag(tag: string, attributes: Attributes, raw: string): void {
    if (TABLE_PARTS.has(tag) && !this.isWithin('table')) return;
    this.#endImplied(tag);
    if ((tag === 'th' || tag === 'td') && this.#find('tr', CELLS) === -1) this.#push('tr', new Map(), '');
    if (!this.#builder.hasRoom(this.#open.length + 1)) {
      if (!VOID.has(tag)) this.#skipped.set(tag, (this.#skipped.get(tag) ?? 0) + 1);
      this.add(this.#builder.text(raw));
    } else if (VOID.has(tag)) this.add(...this.#builder.element(tag, attributes, [], raw));
    else this.#push(tag, attributes, raw);
  }

  #push(tag: string, attributes: Attributes, raw: string): void {
    this.#open.push({ tag, attributes, raw, children: [] });
  }

  #endImplied(tag: string): void {
    const { ends, within } = ENDED_BY.get(tag) ?? {};
    if (!ends || !within) return;
    let lowest = this.#open.length;
    for (let at = lowest - 1; at >= 0; at -= 1) {
      const { tag: open } = this.#open[at] ?? { tag: '' };
      if (within.has(open)) break;
      if (ends.has(open)) lowest = at;
    }
    this.#closeDownTo(lowest);
  }

  /** Closes a tag. Overlapping formats continue after it, as in a browser. */
  #close(tag: string, raw: string): void {
    const skipped = this.#skipped.get(tag) ?? 0;
    if (skipped > 0) {
      this.#skipped.set(tag, skipped - 1);
      this.add(this.#builder.text(raw));
      return;
    }
    const at = this.#find(tag, TABLE_PARTS.has(tag) || tag === 'table' ? new Set(['table']) : CELLS);
    if (at === -1) return;
    const overlapping = FORMATS.has(tag) ? this.#open.slice(at + 1).filter((above) => FORMATS.has(above.tag)) : [];
    this.#closeDownTo(at);
    for (const { tag: other, attributes, raw: written } of overlapping) {
      if (this.#builder.hasRoom(this.#open.length + 1)) this.#push(other, attributes, written);
    }
  }

  /** Returns the index of the innermost open element with this tag, or -1. Does not search outside of `within`. */
  #find(tag: string, within: ReadonlySet<string>): number {
    for (let at = this.#open.length - 1; at >= 0; at -= 1) {
      const { tag: open } = this.#open[at] ?? { tag: '' };
      if (open === tag) return at;
      if (within.has(open)) return -1;
    }
    return -1;
  }

  #closeDownTo(depth: number): void {
    while (this.#open.length > depth) {
      const { tag, attributes, children, raw } = this.#open.pop() as OpenElement<Node>;
      this.add(...this.#builder.element(tag, attributes, children, raw));
    }
  }
}
