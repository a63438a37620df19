import { decodeEntities } from './html-entities.ts';
import { htmlTokens } from './html-tokens.ts';

export const FORMAT_TAGS = ['b', 'strong', 'i', 'em', 'u', 's', 'code', 'mark'] as const;
type FormatTag = (typeof FORMAT_TAGS)[number];

export interface FormatNode {
  tag: FormatTag;
  children: InlineNode[];
}
export interface LinkNode {
  tag: 'a';
  /** An absolute http, https or mailto URL. */
  href: string;
  children: InlineNode[];
}
export interface BreakNode {
  tag: 'br';
}
/** Decoded text (for a text node), a line break, or an element with at least one child. */
export type InlineNode = string | BreakNode | FormatNode | LinkNode;

const formatTags: ReadonlySet<string> = new Set(FORMAT_TAGS);

/**
 * Parses the inline HTML of an Editor.js string into a tree of the few elements that Hub shows. Every other tag is
 * removed and its text kept, even for script and style, whose content is only text here and never runs. Takes linear
 * time.
 *
 * An element inside another of the same kind changes nothing visible and is dropped. The depth of a tree is therefore
 * limited to the number of kinds, and plain recursion is safe. Overlapping tags are nested as in a browser.
 */
export function parseInlineHtml(html: string): InlineNode[] {
  if (!html.includes('<')) return html === '' ? [] : [decodeEntities(html)];
  const tree = new InlineTree();
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') tree.add(decodeEntities(token.text));
    else if (token.kind === 'close') tree.close(token.name);
    else if (token.kind === 'other') continue;
    else if (token.name === 'br') tree.add({ tag: 'br' });
    else tree.open(token.name, token.name === 'a' ? safeHref(token.attributes.get('href') ?? null) : null);
  }
  return tree.roots;
}

/** An element that is open at the current position. `times` is its number of unclosed tags. */
interface OpenElement {
  tag: FormatTag | 'a';
  href: string;
  times: number;
}

/** Builds the tree. Elements are created only when they get content, so none is ever empty. */
class InlineTree {
  readonly roots: InlineNode[] = [];
  #open: OpenElement[] = [];
  #path: { element: OpenElement; children: InlineNode[] }[] = [];

  open(tag: string, href: string | null): void {
    if (tag === 'a') {
      this.#open = this.#open.filter((element) => element.tag !== 'a');
      if (href !== null) this.#open.push({ tag, href, times: 1 });
    } else if (formatTags.has(tag)) {
      const already = this.#open.find((element) => element.tag === tag);
      if (already === undefined) this.#open.push({ tag: tag as FormatTag, href: '', times: 1 });
      else already.times += 1;
    }
  }

  close(tag: string): void {
    const element = this.#open.find((candidate) => candidate.tag === tag);
    if (element === undefined) return;
    element.times -= 1;
    if (element.times === 0) this.#open = this.#open.filter((candidate) => candidate !== element);
  }

  add(content: string | BreakNode): void {
    let shared = 0;
    while (shared < this.#path.length && this.#path[shared]?.element === this.#open[shared]) shared += 1;
    this.#path.length = shared;
    let children = this.#path.at(-1)?.children ?? this.roots;
    for (const element of this.#open.slice(shared)) {
      const inner: InlineNode[] = [];
      children.push(
        element.tag === 'a'
          ? { tag: element.tag, href: element.href, children: inner }
          : { tag: element.tag, children: inner },
      );
      this.#path.push({ element, children: inner });
      children = inner;
    }
    const last = children.at(-1);
    if (typeof content === 'string' && typeof last === 'string') children[children.length - 1] = last + content;
    else children.push(content);
  }
}

/** Returns the URL of a link if it is absolute and its scheme is http, https or mailto; otherwise null. */
function safeHref(written: string | null): string | null {
  if (written === null) return null;
  // Browsers remove tabs, line breaks and surrounding white space before they parse the scheme.
  const href = decodeEntities(written)
    .replace(/[\t\n\r]/g, '')
    .trim();
  return /^(?:https?:\/\/|mailto:)[^\s]/i.test(href) && URL.canParse(href) ? href : null;
}
