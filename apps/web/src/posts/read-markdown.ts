import { decodeEntities } from '@hub/contract/blocks/html-entities';
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { inParts } from './in-parts.ts';
import { add, isBlank, NodeBudget } from './node-builder.ts';
import type { ItemNode, PostNode, PostTree } from './post-tree.ts';
import { readInline, type Standing } from './read-inline.ts';

/** A block of code takes as much of the browser as so many other nodes. */
const CODE_COST = 8;

/**
 * Reads Markdown: CommonMark with the tables, task lists, strikethrough and autolinks of GFM. It takes long for what is made to
 * take long, and throws a RangeError for what is nested without end: call it where that harms nobody.
 */
export function readMarkdown(text: string): PostTree {
  return inParts(readBlocks(new Lexer({ gfm: true }).lex(text), { budget: new NodeBudget(), depth: 0 }));
}

/** The text as it was sent. */
export function readPlain(text: string): PostTree {
  return { ...inParts([{ is: 'raw', children: [text] }]), isPlain: true };
}

function readBlocks(tokens: readonly Token[], at: Standing): PostNode[] {
  const nodes: PostNode[] = [];
  for (const token of tokens) {
    if (at.budget.take(at.depth, token.type === 'code' ? CODE_COST : 1))
      nodes.push(...readBlock(token as MarkedToken, at));
    else if (token.raw.trim() !== '') addRaw(nodes, token.raw);
  }
  return nodes;
}

function readBlock(token: MarkedToken, at: Standing): PostNode[] {
  const below = { ...at, depth: at.depth + 1 };
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'hr':
      return [{ is: 'rule' }];
    case 'code':
      return [{ is: 'codeBlock', code: token.text, language: languageOf(token.lang), children: [token.text] }];
    case 'heading':
      return readHeading(token, below);
    case 'blockquote':
      return [{ is: 'quote', children: readBlocks(token.tokens, below) }];
    case 'list':
      return readList(token, below);
    case 'table':
      return readTable(token, below);
    case 'paragraph':
      return [{ is: 'paragraph', children: readInline(token.tokens, below) }];
    case 'text':
      return readInline(token.tokens ?? [token], below);
    default:
      return [{ is: 'raw', children: [token.raw.trimEnd()] }];
  }
}

function readHeading(token: Tokens.Heading, at: Standing): PostNode[] {
  const children = readInline(token.tokens, at);
  if (isBlank(children)) return [];
  return [{ is: 'heading', level: at.budget.headingLevel(token.depth), children }];
}

function readList({ ordered, start, items }: Tokens.List, at: Standing): PostNode[] {
  const children: PostNode[] = [];
  for (const item of items) {
    if (!at.budget.take(at.depth)) break;
    children.push(readItem(item, at));
  }
  const rest = items.slice(children.length).map(({ raw }) => raw);
  const first = ordered ? Math.min(Number(start) || 0, 999_999_999) : null;
  return [...(children.length === 0 ? [] : [{ is: 'list' as const, start: first, children }]), ...asWritten(rest)];
}

function readItem(item: Tokens.ListItem, at: Standing): ItemNode {
  const children = readBlocks(item.tokens, { ...at, depth: at.depth + 1 });
  return item.task ? { is: 'item', isDone: item.checked === true, children } : { is: 'item', children };
}

function readTable(token: Tokens.Table, at: Standing): PostNode[] {
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
function addRaw(nodes: PostNode[], raw: string): void {
  const last = nodes.at(-1);
  if (typeof last === 'object' && last.is === 'raw') add(last.children, raw);
  else nodes.push({ is: 'raw', children: [raw] });
}

/** The first word behind the fence, as an `info string` names the language (CommonMark 0.31, section 4.5). */
function languageOf(info: string | undefined): string | null {
  const word = decodeEntities(info ?? '')
    .trim()
    .split(/\s/, 1)[0];
  return word ? word.toLowerCase().slice(0, 32) : null;
}
