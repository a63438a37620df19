import { decodeEntities } from '@hub/contract/blocks/html-entities';
import { alertMark } from '@hub/contract/markdown/alert-kinds';
import type { NamedCharacters } from '@hub/contract/markdown/named-characters';
import { hasKnownHtml } from '@hub/contract/markdown/nest-html';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { GfmTokenizer } from './gfm-tokenizer.ts';
import { htmlNesting, isBlock, merged, paragraphs, within } from './html-nodes.ts';
import { inParts } from './in-parts.ts';
import { add, NodeBudget } from './node-builder.ts';
import type { ItemNode, PostNode, PostTree } from './post-tree.ts';
import { type KeyStatus, readInline } from './read-inline.ts';

/** A block of code takes as much of the browser as so many other nodes. */
const CODE_COST = 8;

/**
 * Reads Markdown: CommonMark with the tables, task lists, strikethrough and autolinks of GFM, and the alerts, the shortcodes and
 * some of the HTML of GitHub. `names`: the characters that have names. It takes long for what is made to take long, and throws a
 * RangeError for what is nested without end: call it where that harms nobody.
 */
export function readMarkdown(text: string, names?: NamedCharacters): PostTree {
  const tokens = new Lexer({ gfm: true, tokenizer: new GfmTokenizer() }).lex(withoutEscapes(text));
  const tree = inParts(readBlocks(tokens, { budget: new NodeBudget(), depth: 0, names }));
  return tree.nodes.length === 0 && text.trim() !== '' ? { ...tree, isInvisible: true } : tree;
}

function readBlocks(tokens: readonly Token[], at: KeyStatus): PostNode[] {
  const html = htmlNesting(at);
  let hasHtml = false;
  for (const token of tokens) {
    if (!at.budget.take(at.depth + html.depth, token.type === 'code' ? CODE_COST : 1))
      html.add({ is: 'raw', children: [token.raw] });
    else if (token.type === 'html' && hasKnownHtml(token.raw)) {
      html.read(token.raw);
      hasHtml = true;
    } else html.add(...readBlock(token as MarkedToken, within(html, at)));
  }
  const nodes = joinedRaw(html.end());
  return hasHtml ? paragraphs(merged(nodes)) : nodes;
}

function readBlock(token: MarkedToken, at: KeyStatus): PostNode[] {
  const below = { ...at, depth: at.depth + 1 };
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'hr':
      return [{ is: 'rule' }];
    case 'code':
      return [{ is: 'codeBlock', code: token.text, language: languageOf(token.lang, at), children: [token.text] }];
    case 'heading':
      return [
        {
          is: 'heading',
          level: at.budget.headingLevel(token.depth),
          children: readInline(token.tokens, below),
        },
      ];
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
      return [{ is: 'raw', children: [token.raw.trimEnd()] }];
  }
}

/** Blocks of HTML within it stand below what is before them. */
function readParagraph(token: Tokens.Paragraph, at: KeyStatus): PostNode[] {
  const children = readInline(token.tokens, at);
  if (children.length === 0) return [];
  return children.some(isBlock) ? paragraphs(children) : [{ is: 'paragraph', children }];
}

/** A quotation, or an alert. */
function readQuote({ tokens }: Tokens.Blockquote, at: KeyStatus): PostNode {
  const [first, ...rest] = tokens as MarkedToken[];
  const [lead, ...others] = first?.type === 'paragraph' ? first.tokens : [];
  const mark = first?.type === 'paragraph' && lead?.type === 'text' ? alertMark(first.raw) : null;
  if (mark === null || first?.type !== 'paragraph' || lead?.type !== 'text')
    return { is: 'quote', children: readBlocks(tokens, at) };
  // A break behind the mark ends its line.
  const line: Token = { type: 'text', raw: lead.raw.slice(mark.length), text: lead.raw.slice(mark.length) };
  const paragraph = { ...first, tokens: [line, ...(others[0]?.type === 'br' ? others.slice(1) : others)] };
  return { is: 'alert', kind: mark.kind, children: readBlocks([paragraph, ...rest], at) };
}

function readList({ ordered, start, items }: Tokens.List, at: KeyStatus): PostNode[] {
  const children: PostNode[] = [];
  for (const item of items) {
    if (!at.budget.take(at.depth)) break;
    children.push(readItem(item, at));
  }
  const rest = items.slice(children.length).map(({ raw }) => raw);
  const first = ordered ? Math.min(Number(start) || 0, 999_999_999) : null;
  return [...(children.length === 0 ? [] : [{ is: 'list' as const, start: first, children }]), ...asWritten(rest)];
}

function readItem(item: Tokens.ListItem, at: KeyStatus): ItemNode {
  const children = readBlocks(item.tokens, { ...at, depth: at.depth + 1 });
  return item.task ? { is: 'item', isDone: item.checked === true, children } : { is: 'item', children };
}

function readTable(token: Tokens.Table, at: KeyStatus): PostNode[] {
  const row = (cells: readonly Tokens.TableCell[], isHead: boolean): PostNode[] =>
    cells.map(({ tokens, text, align }) => ({
      is: 'cell',
      isHead,
      align,
      children: at.budget.take(at.depth) ? readInline(tokens, { ...at, depth: at.depth + 1 }) : [text],
    }));
  const head: PostNode = { is: 'head', children: row(token.header, true) };
  const rows: PostNode[] = [];
  for (const cells of token.rows) {
    if (!at.budget.take(at.depth)) break;
    rows.push({ is: 'row', children: row(cells, false) });
  }
  // The rows of the token are filled up with cells that nobody has written. Its lines are the head, what is below it, and the rows.
  const rest = token.raw
    .trimEnd()
    .split('\n')
    .slice(2 + rows.length)
    .map((line) => `${line}\n`);
  const body: PostNode[] = rows.length === 0 ? [] : [{ is: 'body', children: rows }];
  return [{ is: 'table', children: [head, ...body] }, ...asWritten(rest)];
}

/** What is too much for a list or a table, behind it. */
function asWritten(rest: readonly string[]): PostNode[] {
  return rest.length === 0 ? [] : [{ is: 'raw', children: [rest.join('').trimEnd()] }];
}

/** What is left over stands together. */
function joinedRaw(nodes: readonly PostNode[]): PostNode[] {
  const all: PostNode[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    const isRaw = typeof node === 'object' && node.is === 'raw';
    if (isRaw && typeof last === 'object' && last.is === 'raw')
      for (const child of node.children) add(last.children, child);
    else all.push(node);
  }
  return all;
}
/** The first word behind the fence, as an `info string` names the language (CommonMark 0.31, section 4.5). */
function languageOf(info: string | undefined, { names }: KeyStatus): string | null {
  const word = decodeEntities(info ?? '', names?.entities)
    .trim()
    .split(/\s/, 1)[0];
  return word ? word.toLowerCase().slice(0, 32) : null;
}
