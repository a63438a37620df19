import { decodeEntities } from '@hub/contract/blocks/html-entities';
import type { NamedCharacters } from '@hub/contract/markdown/named-characters';
import { readText } from '@hub/contract/markdown/shortcodes';
import type { MarkedToken, Token, Tokens } from 'marked';
import { avatarNodes, htmlNesting, merged, within } from './html-nodes.ts';
import { type NodeBudget, textOf } from './node-builder.ts';
import type { PostNode } from './post-tree.ts';
import { safeAddress } from './safe-address.ts';

/** Where a reader of tokens stands. */
export interface KeyStatus {
  budget: NodeBudget;
  depth: number;
  isInLink?: boolean;
  /** The characters that have names; without them, some names stay as they were written. */
  names?: NamedCharacters | undefined;
}

/** The tokens within a paragraph, a heading or a cell. Whatever is too much is text. */
export function readInline(tokens: readonly Token[], at: KeyStatus): PostNode[] {
  const html = htmlNesting(at);
  for (const token of tokens) {
    if (!at.budget.take(at.depth + html.depth)) html.add(token.raw);
    else if (token.type === 'html') html.read(token.raw);
    else html.add(...readToken(token as MarkedToken, within(html, at)));
  }
  return merged(html.end());
}

function readToken(token: MarkedToken, at: KeyStatus): PostNode[] {
  const inner = () => readInline(('tokens' in token && token.tokens) || [], { ...at, depth: at.depth + 1 });
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [{ is: token.type, children: inner() }];
    case 'text':
      return token.tokens ? readInline(token.tokens, at) : [readText(token.text, at.names)];
    case 'escape':
      return [token.text];
    case 'codespan':
      return [{ is: 'code', children: [token.text] }];
    case 'br':
      return [{ is: 'break' }];
    case 'link':
      return readLink(token, at);
    case 'image':
      return readImage(token, at);
    case 'checkbox':
      return [];
    default:
      return [token.raw];
  }
}

/** A link that leads nowhere safe is the text that was written. */
function readLink(token: Tokens.Link, at: KeyStatus): PostNode[] {
  const href = safeAddress(decodeEntities(token.href, at.names?.entities));
  if (href === null || at.isInLink) return [token.raw];
  const children = readInline(token.tokens, { ...at, depth: at.depth + 1, isInLink: true });
  return [{ is: 'link', href, children: hasContent(children) ? children : [href] }];
}

/** Returns whether there is anything in a link to see and to press. */
function hasContent(nodes: readonly PostNode[]): boolean {
  return nodes.some((node) => {
    if (typeof node === 'string') return node.trim() !== '';
    return 'children' in node ? hasContent(node.children) : node.is === 'picture';
  });
}

function readImage(token: Tokens.Image, at: KeyStatus): PostNode[] {
  const address = decodeEntities(token.href, at.names?.entities);
  const text = textOf(readInline(token.tokens, { ...at, depth: at.depth + 1 })).trim();
  const nodes = avatarNodes({ address, text, raw: token.raw });
  // A link cannot stand in a link.
  return at.isInLink ? nodes.map((node) => (typeof node === 'object' && node.is === 'link' ? text : node)) : nodes;
}
