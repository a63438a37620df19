import { decodeEntities } from '@hub/contract/blocks/html-entities';
import { alertMark } from '@hub/contract/markdown/alert-kinds';
import { AFTER_SCHEME, withoutTrail } from '@hub/contract/markdown/bare-address';
import type { NamedCharacters } from '@hub/contract/markdown/named-characters';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked';
import { type HtmlReader, htmlNesting, isBlock, merged, paragraphs, type ReadContext, within } from './html-nodes.ts';
import { inParts } from './in-parts.ts';
import { add, codeBlock, type ItemNode, isBlank, NodeBudget, type PostNode, type PostTree } from './post-tree.ts';
import { readInline } from './read-inline.ts';

/** A code block costs the browser as much as this many other nodes. */
const CODE_COST = 8;

/**
 * Parses Markdown: CommonMark with the tables, task lists, strikethrough and autolinks of GFM, and GitHub's alerts,
 * shortcodes and some of its HTML. `names`: the named characters. `html`: required for text with tags. Hostile text can
 * take a long time, so call this where that does no harm.
 * @throws RangeError if the text is nested too deeply.
 */
export function readMarkdown(text: string, names?: NamedCharacters, html?: HtmlReader): PostTree {
  const tree = inParts(readBlocks(lexed(text), { budget: new NodeBudget(), depth: 0, names, html }));
  return tree.nodes.length === 0 && text.trim() !== '' ? { ...tree, isInvisible: true } : tree;
}

export function lexed(text: string): Token[] {
  return new Lexer({ gfm: true, tokenizer: new GfmTokenizer() }).lex(withColorsInCode(text));
}

/** A code fence, perhaps in a quote or a list item. An opening fence may name a language. */
export const FENCE = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*(`{3,}|~{3,})([^`]*)$/;

/** Returns the text without terminal control sequences, except for those that set colors in code. */
function withColorsInCode(text: string): string {
  const colored = withoutEscapes(text, { keepsColors: true });
  if (colored === withoutEscapes(text)) return colored;
  let fence = '';
  const lines = colored.split('\n').map((line) => {
    const [, sign = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence !== '' && !(sign.startsWith(fence) && info.trim() === '')) return line;
    fence = fence === '' ? sign : '';
    return withoutEscapes(line);
  });
  return lines.join('\n');
}

export function readBlocks(tokens: readonly Token[], context: ReadContext): PostNode[] {
  const html = htmlNesting(context);
  let hasHtml = false;
  for (const token of tokens) {
    if (!context.budget.take(context.depth + html.depth, token.type === 'code' ? CODE_COST : 1))
      html.add({ type: 'raw', children: [token.raw] });
    else if (token.type === 'html' && context.html?.isKnown(token.raw)) {
      html.read(token.raw);
      hasHtml = true;
    } else html.add(...readBlock(token as MarkedToken, within(html, context)));
  }
  const nodes = joinedRaw(html.end());
  return hasHtml ? paragraphs(merged(nodes)) : nodes;
}

function readBlock(token: MarkedToken, context: ReadContext): PostNode[] {
  const below = { ...context, depth: context.depth + 1 };
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'hr':
      return [{ type: 'rule' }];
    case 'code':
      return [codeBlock(token.text, languageOf(token.lang, context))];
    case 'heading': {
      const children = readInline(token.tokens, below);
      // Screen readers list headings, also empty ones.
      return isBlank(children) ? [] : [{ type: 'heading', level: context.budget.headingLevel(token.depth), children }];
    }
    case 'blockquote':
      return [readQuote(token, below)];
    case 'list':
      return readList(token, below);
    case 'table':
      return readTable(token, below);
    case 'paragraph':
      return readParagraph(token, below);
    case 'text':
      return readInline(token.tokens ?? [token], below);
    default:
      return [{ type: 'raw', children: [token.raw.trimEnd()] }];
  }
}

/** Returns a paragraph; block-level HTML in it splits it. */
function readParagraph(token: Tokens.Paragraph, context: ReadContext): PostNode[] {
  const children = readInline(token.tokens, context);
  if (children.length === 0) return [];
  return children.some(isBlock) ? paragraphs(children) : [{ type: 'paragraph', children }];
}

function readQuote({ tokens }: Tokens.Blockquote, context: ReadContext): PostNode {
  const [first, ...rest] = tokens as MarkedToken[];
  const [lead, ...others] = first?.type === 'paragraph' ? first.tokens : [];
  const mark = first?.type === 'paragraph' && lead?.type === 'text' ? alertMark(first.raw) : null;
  if (mark === null || first?.type !== 'paragraph' || lead?.type !== 'text')
    return { type: 'quote', children: readBlocks(tokens, context) };
  // A break after the mark ends its line.
  const line: Token = { type: 'text', raw: lead.raw.slice(mark.length), text: lead.raw.slice(mark.length) };
  const paragraph = { ...first, tokens: [line, ...(others[0]?.type === 'br' ? others.slice(1) : others)] };
  return { type: 'alert', kind: mark.kind, children: readBlocks([paragraph, ...rest], context) };
}

function readList({ ordered, start, items }: Tokens.List, context: ReadContext): PostNode[] {
  const children: PostNode[] = [];
  for (const item of items) {
    if (!context.budget.take(context.depth)) break;
    children.push(readItem(item, context));
  }
  const rest = items.slice(children.length).map(({ raw }) => raw);
  const first = ordered ? Math.min(Number(start) || 0, 999_999_999) : null;
  return [...(children.length === 0 ? [] : [{ type: 'list' as const, start: first, children }]), ...asWritten(rest)];
}

function readItem(item: Tokens.ListItem, context: ReadContext): ItemNode {
  // The number is taken before those of nested tasks.
  const task = item.task ? { isDone: item.checked === true, task: context.budget.tasks.push(item) - 1 } : {};
  return { type: 'item', ...task, children: readBlocks(item.tokens, { ...context, depth: context.depth + 1 }) };
}

function readTable(token: Tokens.Table, context: ReadContext): PostNode[] {
  const row = (cells: readonly Tokens.TableCell[], isHead: boolean): PostNode[] =>
    cells.map(({ tokens, text, align }) => ({
      type: 'cell',
      isHead,
      align,
      children: context.budget.take(context.depth)
        ? readInline(tokens, { ...context, depth: context.depth + 1 })
        : [text],
    }));
  const head: PostNode = { type: 'head', children: row(token.header, true) };
  const rows: PostNode[] = [];
  for (const cells of token.rows) {
    if (!context.budget.take(context.depth)) break;
    rows.push({ type: 'row', children: row(cells, false) });
  }
  // The parser pads the rows of the token with empty cells, so the rest comes from its source lines: the head, the
  // delimiter row and the rows.
  const rest = token.raw
    .trimEnd()
    .split('\n')
    .slice(2 + rows.length)
    .map((line) => `${line}\n`);
  const body: PostNode[] = rows.length === 0 ? [] : [{ type: 'body', children: rows }];
  return [{ type: 'table', children: [head, ...body] }, ...asWritten(rest)];
}

/** Returns the items or rows beyond the budget as they were written. */
function asWritten(rest: readonly string[]): PostNode[] {
  return rest.length === 0 ? [] : [{ type: 'raw', children: [rest.join('').trimEnd()] }];
}

function joinedRaw(nodes: readonly PostNode[]): PostNode[] {
  const all: PostNode[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    const isRaw = typeof node === 'object' && node.type === 'raw';
    if (isRaw && typeof last === 'object' && last.type === 'raw')
      for (const child of node.children) add(last.children, child);
    else all.push(node);
  }
  return all;
}

/** Returns the first word of the info string, which names the language (CommonMark 0.31, section 4.5). */
function languageOf(info: string | undefined, { names }: ReadContext): string | null {
  const word = decodeEntities(info ?? '', names?.entities)
    .trim()
    .split(/\s/, 1)[0];
  return word ? word.toLowerCase().slice(0, 32) : null;
}

const ADDRESS = new RegExp(`^(?:https?://|www\\.)${AFTER_SCHEME}`, 'iu');
/** A title in parentheses at the end of a link. */
const TITLE = /\s\(((?:\\.|[^\\])*)\)\s*\)$/s;

/** The line below a heading (CommonMark 0.31, section 4.3). */
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** A line that ends a paragraph. There are others, too. */
const PARAGRAPH_END = /^[ \t]*$|^ {0,3}(?:>|#{1,6}(?:\s|$)|(?:[*+-]|\d{1,9}[.)]) )/;

/** Corrects the parser where it differs from CommonMark and GFM, or is slow. */
class GfmTokenizer extends Tokenizer {
  /** The parser's pattern takes memory for each character: 1.5 s for a paragraph of 40,000 in JavaScriptCore. */
  override lheading(src: string): Tokens.Heading | undefined {
    return isUnderlined(src) ? super.lheading(src) : undefined;
  }

  /** A title in parentheses cannot contain a parenthesis (CommonMark 0.31, section 6.3). */
  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    const token = super.link(src);
    const [, title] = (token?.title && TITLE.exec(token.raw)) || [];
    return title !== undefined && /(?:^|[^\\])\(/.test(title) ? undefined : token;
  }

  /** A footnote is no link target, which would not be shown. */
  override def(src: string): Tokens.Def | undefined {
    return /^ *\[\^/.test(src) ? undefined : super.def(src);
  }

  /** The parser takes text that follows an address for a part of it, see `AFTER_SCHEME`. */
  override url(src: string): Tokens.Link | undefined {
    const [written] = ADDRESS.exec(src) ?? [];
    if (written === undefined) return super.url(src);
    const raw = withoutTrail(written);
    const href = /^www/i.test(raw) ? `http://${raw}` : raw;
    return { type: 'link', raw, text: raw, href, tokens: [{ type: 'text', raw, text: raw }] };
  }
}

/** Whether the paragraph at the start of a text may be a heading with an underline. */
function isUnderlined(src: string): boolean {
  for (let end = src.indexOf('\n'); end !== -1; ) {
    const start = end + 1;
    end = src.indexOf('\n', start);
    const line = src.slice(start, end === -1 ? undefined : end);
    if (UNDERLINE.test(line)) return true;
    if (PARAGRAPH_END.test(line)) return false;
  }
  return false;
}
