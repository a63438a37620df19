import { childrenOf, type Element, markdownElements, type Node, textOf } from './markdown-elements.ts';
import { type Line, type Segment, type Style, styled } from './segments.ts';

/**
 * Formats Markdown as lines for the terminal, with only the marks that make it easier to read. The segments hold the
 * original text; `Output` sanitizes the text when it prints it.
 */
export function markdownLines(text: string): Line[] {
  try {
    return blockLines(markdownElements(text), 0);
  } catch (error) {
    // Thousands of nested quotes are an attempt to exhaust the stack and not meant to be read.
    if (error instanceof RangeError) return plainLines(text);
    throw error;
  }
}

/** Returns every line unchanged. */
export function plainLines(text: string): Line[] {
  return text.split(/\r\n|[\n\r]/).map((line) => [line]);
}

/** Returns whether a line shows nothing but white space. */
export function isBlank(line: Line): boolean {
  return line.every((segment) => (typeof segment === 'string' ? segment : segment.text).trim() === '');
}

const INLINE = new Set(['strong', 'em', 'del', 'ins', 'code', 'sub', 'sup', 'a', 'img', 'br']);

/** The maximum indentation depth. Deeper content is shown without further indentation. */
const MAX_DEPTH = 20;

/** Formats blocks. Loose text between blocks, as in the items of a tight list, is treated as a separate paragraph. */
function blockLines(nodes: readonly Node[], depth: number): Line[] {
  const [only] = nodes;
  if (nodes.length === 1 && only !== undefined && isBlock(only)) return linesOf(only, depth);
  const lines: Line[] = [];
  let isAfterParagraph = false;
  for (let index = 0; index < nodes.length; ) {
    const node = nodes[index];
    if (node !== undefined && isBlock(node)) {
      const isParagraph = node.type === 'p';
      if (isParagraph && isAfterParagraph) lines.push([]);
      lines.push(...linesOf(node, depth));
      isAfterParagraph = isParagraph;
      index += 1;
    } else {
      const next = nodes.findIndex((other, at) => at > index && isBlock(other));
      const end = next < 0 ? nodes.length : next;
      lines.push(...inlineLines(nodes.slice(index, end)));
      index = end;
    }
  }
  return lines;
}

function isBlock(node: Node): node is Element {
  return typeof node !== 'string' && !INLINE.has(node.type);
}

function linesOf(element: Element, depth: number): Line[] {
  const children = childrenOf(element);
  const { start = 1 } = element.props;
  if (/^h[1-6]$/.test(element.type)) return inlineLines(children, ['bold']);
  switch (element.type) {
    case 'ul':
      return elementsOf(children).flatMap((item) => itemLines(item, '- ', depth));
    case 'ol':
      return elementsOf(children).flatMap((item, index) => itemLines(item, `${start + index}. `, depth));
    case 'blockquote':
      return behind(styled('dim', '> '), styled('dim', '> '), blockLines(children, depth + 1), depth);
    case 'pre':
      return plainLines(textOf(children).replace(/\n$/, '')).map((line) => ['  ', ...line.map(asCode)]);
    case 'html':
      return plainLines(textOf(children).replace(/\n$/, ''));
    case 'summary':
      return inlineLines(['▾ ', ...children], ['bold']);
    case 'details':
      return detailsLines(children, depth);
    case 'alert':
      return behind(
        styled('dim', '> '),
        styled('dim', '> '),
        [[styled('bold', element.props.title ?? '')], ...blockLines(children, depth + 1)],
        depth,
      );
    case 'hr':
      return [[styled('dim', '---')]];
    case 'tr':
      return [rowLine(children)];
    default:
      return blockLines(children, depth);
  }
}

/** Shows the whole content below the summary, since a terminal cannot expand it later. */
function detailsLines(children: readonly Node[], depth: number): Line[] {
  const isSummary = (node: Node) => typeof node !== 'string' && node.type === 'summary';
  const summary = children.find(isSummary) ?? { type: 'summary', props: { children: ['Details'] } };
  const rest = blockLines(
    children.filter((node) => !isSummary(node)),
    depth + 1,
  );
  return [...blockLines([summary], depth), ...(rest.length === 0 ? [] : behind('  ', '  ', rest, depth))];
}

/** Prefixes the first line with `first` and the rest with `others`. Empty lines get no trailing blanks. */
export function behind(first: Segment, others: Segment, lines: Line[], depth: number): Line[] {
  if (depth >= MAX_DEPTH) return lines;
  return lines.map((line, index) => {
    const isBlank = index > 0 && line.length === 0 && typeof others === 'string';
    return isBlank ? line : [index === 0 ? first : others, ...line];
  });
}

export const asCode = (segment: Segment): Segment =>
  styled('cyan', typeof segment === 'string' ? segment : segment.text);

function elementsOf(children: readonly Node[]): Element[] {
  return children.filter((child): child is Element => typeof child !== 'string');
}

function itemLines(item: Element, bullet: string, depth: number): Line[] {
  const { checked } = item.props;
  const mark = checked === undefined ? bullet : checked ? '[x] ' : '[ ] ';
  const lines = blockLines(childrenOf(item), depth + 1);
  return behind(mark, ' '.repeat(mark.length), lines.length === 0 ? [[]] : lines, depth);
}

function rowLine(cells: readonly Node[]): Line {
  return elementsOf(cells).flatMap((cell, index) => {
    const line = inlineLines(childrenOf(cell), cell.type === 'th' ? ['bold'] : [])
      .filter((part) => !isBlank(part))
      .flatMap((part, n) => (n === 0 ? part : [' ', ...part]));
    return index === 0 ? line : [styled('dim', ' | '), ...line];
  });
}

/** Formats inline text. Keeps the line breaks of the source, as other chat apps do. */
function inlineLines(nodes: readonly Node[], styles: readonly Style[] = []): Line[] {
  const lines: Line[] = [[]];
  const write = (text: string, written: readonly Style[]): void => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push(written.length === 0 ? part : { text: part, style: written });
    }
  };
  const walk = (node: Node, inherited: readonly Style[], isInLink = false): void => {
    if (typeof node === 'string') {
      write(node, inherited);
    } else if (node.type === 'br') {
      write('\n', inherited);
    } else if (!INLINE.has(node.type)) {
      for (const child of childrenOf(node)) walk(child, inherited, isInLink);
      write('\n', inherited);
    } else if (node.type === 'img') {
      // For an image in a link, the alternative text is enough.
      write(withAddress(node.props.alt ?? '', isInLink && node.props.alt ? '' : node.props.src), inherited);
    } else {
      const style = STYLES[node.type];
      const own = style === undefined ? inherited : [...inherited, style];
      for (const child of childrenOf(node)) walk(child, own, isInLink || node.type === 'a');
      const text = node.type === 'a' ? textOf(childrenOf(node)) : '';
      write(withAddress(text, node.props.href).slice(text.length), inherited);
    }
  };
  for (const node of nodes) walk(node, styles);
  return lines.map(joined);
}

const STYLES: Readonly<Record<string, Style>> = {
  strong: 'bold',
  em: 'italic',
  del: 'strikethrough',
  ins: 'underline',
  code: 'cyan',
  a: 'underline',
};

/** Appends the URL of a link, which may differ from its text. */
export function withAddress(text: string, address = ''): string {
  const saysAll = address === '' || text === address || `${text}/` === address || `mailto:${text}` === address;
  if (saysAll) return text;
  return text === '' ? address : `${text} (${address})`;
}

/** Joins neighbors of the same style, so that a split escape sequence is still recognized and removed. */
export function joined(line: Line): Line {
  const segments: { text: string; style: readonly Style[] }[] = [];
  for (const segment of line) {
    const { text, style } = typeof segment === 'string' ? { text: segment, style: [] } : segment;
    const styles = [style].flat();
    const last = segments.at(-1);
    if (last && String(last.style) === String(styles)) last.text += text;
    else segments.push({ text, style: styles });
  }
  return segments.map((segment) => (segment.style.length === 0 ? segment.text : segment));
}
