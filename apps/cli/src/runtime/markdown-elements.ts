import { decodeEntities } from '@hub/contract/blocks/html-entities';
import type { Attributes } from '@hub/contract/blocks/html-tokens';
import { alertMark, alertTitle } from '@hub/contract/markdown/alert-kinds';
import { namedCharacters } from '@hub/contract/markdown/named-characters';
import { HTML_BLOCKS, HtmlNesting, hasKnownHtml } from '@hub/contract/markdown/nest-html';
import { readText } from '@hub/contract/markdown/shortcodes';

export interface Element {
  type: string;
  props: {
    children?: Node[];
    href?: string | undefined;
    src?: string | undefined;
    alt?: string | undefined;
    start?: number | undefined;
    checked?: boolean | undefined;
    /** The title of an alert. */
    title?: string | undefined;
  };
}
export type Node = string | Element;

/** The maximum nesting of HTML elements. */
const MAX_HTML_DEPTH = 14;

const SAME_AS: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', kbd: 'code' };
const SAFE_URL = /^\s*(?:https?:|mailto:)/i;

/**
 * Parses Markdown into HTML-like elements, including the HTML, alerts and shortcodes that posts support.
 * @throws RangeError if the nesting exhausts the stack.
 */
export function markdownElements(text: string): Node[] {
  // Uses only the element tree, so React itself is not needed.
  const tree = Bun.markdown.react(text, undefined, { autolinks: true }) as unknown as Element;
  return readNodes(childrenOf(tree));
}

export function childrenOf({ props }: Element): Node[] {
  return props.children ?? [];
}

export function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      return node.type === 'br' ? '\n' : node.type === 'img' ? (node.props.alt ?? '') : textOf(childrenOf(node));
    })
    .join('');
}

function readNodes(nodes: readonly Node[]): Node[] {
  const html = new HtmlNesting<Node>(
    { text: (text) => text, element: htmlElement, hasRoom: (depth) => depth <= MAX_HTML_DEPTH },
    namedCharacters,
  );
  let text = '';
  const endText = () => {
    if (text !== '') html.add(readText(text, { emoji: namedCharacters.emoji, entities: {} }));
    text = '';
  };
  for (const node of nodes) {
    // An inline tag is always a separate string, and no other string can look like one.
    const isTag = typeof node === 'string' && /^<.+>$/s.test(node);
    // A ":" in a string of its own was escaped with a backslash and does not start a shortcode.
    const isEscaped = node === ':';
    if (typeof node === 'string' && !isTag && !isEscaped) {
      text += node;
      continue;
    }
    endText();
    if (isEscaped) html.add(node);
    else if (typeof node === 'string') html.read(node);
    else if (node.type !== 'html') html.add(readElement(node));
    else if (hasKnownHtml(textOf(childrenOf(node)))) html.read(textOf(childrenOf(node)));
    else html.add(node);
  }
  endText();
  return withoutBlanks(html.end());
}

function readElement(element: Element): Element {
  if (element.type === 'pre' || element.type === 'code' || !element.props.children) return element;
  const children = readNodes(childrenOf(element));
  return (element.type === 'blockquote' && alertOf(children)) || { ...element, props: { ...element.props, children } };
}

function alertOf([first, ...rest]: readonly Node[]): Element | null {
  const [lead, ...others] = typeof first === 'object' && first.type === 'p' ? childrenOf(first) : [];
  const mark = typeof lead === 'string' ? alertMark(others.length === 0 ? lead : `${lead}\n`) : null;
  if (mark === null || typeof first !== 'object' || typeof lead !== 'string') return null;
  const [breakBehind] = others;
  const isBroken = typeof breakBehind === 'object' && breakBehind.type === 'br';
  const left = [lead.slice(mark.length), ...(isBroken ? others.slice(1) : others)].filter((node) => node !== '');
  const paragraph = left.length === 0 ? [] : [{ type: 'p', props: { children: left } }];
  return { type: 'alert', props: { title: alertTitle(mark.kind), children: [...paragraph, ...rest] } };
}

function htmlElement(tag: string, attributes: Attributes, children: Node[], raw: string): Node[] {
  const value = (name: string) => decodeEntities(attributes.get(name) ?? '', namedCharacters.entities);
  switch (tag) {
    case 'img': {
      const src = value('src').trim();
      if (!SAFE_URL.test(src)) return [raw];
      return [{ type: 'img', props: { src, alt: value('alt') } }];
    }
    case 'a': {
      const href = value('href').trim();
      return SAFE_URL.test(href) ? [{ type: 'a', props: { href, children } }] : children;
    }
    case 'p':
    case 'div':
      return children.some((node) => typeof node === 'object' && HTML_BLOCKS.has(node.type))
        ? withoutBlanks(children)
        : [{ type: 'p', props: { children } }];
    case 'ol':
      return [{ type: 'ol', props: { start: Number.parseInt(value('start'), 10) || 1, children } }];
    default:
      return [
        { type: SAME_AS[tag] ?? tag, props: { children: HTML_BLOCKS.has(tag) ? withoutBlanks(children) : children } },
      ];
  }
}

/** Removes white space between tags. */
function withoutBlanks(children: readonly Node[]): Node[] {
  const isBlank = (node: Node | undefined) => typeof node === 'string' && node.trim() === '';
  const isEdge = (node: Node | undefined) =>
    node === undefined || (typeof node === 'object' && HTML_BLOCKS.has(node.type));
  return children.filter((node, n) => !isBlank(node) || !(isEdge(children[n - 1]) || isEdge(children[n + 1])));
}
