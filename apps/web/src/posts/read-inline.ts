import { decodeEntities } from '@hub/contract/blocks/html-entities';
import type { MarkedToken, Token, Tokens } from 'marked';
import { add, type NodeBudget, textOf } from './node-builder.ts';
import type { PostNode } from './post-tree.ts';
import { pictureAddress, safeAddress } from './safe-address.ts';

/** Where a reader of tokens stands. */
export interface Standing {
  budget: NodeBudget;
  depth: number;
  isInLink?: boolean;
}

/** The tokens within a paragraph, a heading or a cell. Raw HTML is text; so is whatever is too much. */
export function readInline(tokens: readonly Token[], at: Standing): PostNode[] {
  const nodes: PostNode[] = [];
  for (const token of tokens) {
    if (at.budget.take(at.depth)) for (const node of readToken(token as MarkedToken, at)) add(nodes, node);
    else add(nodes, token.raw);
  }
  return nodes;
}

function readToken(token: MarkedToken, at: Standing): PostNode[] {
  const inner = () => readInline(('tokens' in token && token.tokens) || [], { ...at, depth: at.depth + 1 });
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [{ is: token.type, children: inner() }];
    case 'text':
      return token.tokens ? readInline(token.tokens, at) : [decodeEntities(token.text)];
    case 'escape':
      return [token.text];
    case 'codespan':
      return [{ is: 'code', children: [token.text] }];
    case 'br':
      return [{ is: 'break' }];
    case 'link':
      return readLink(token, at);
    case 'image':
      return readPicture(token, at);
    case 'checkbox':
      return [];
    default:
      return [token.raw];
  }
}

/** A link that leads nowhere safe is the text that was written. A picture cannot be pressed within one: it stands behind it. */
function readLink(token: Tokens.Link, at: Standing): PostNode[] {
  const href = safeAddress(decodeEntities(token.href));
  if (href === null || at.isInLink) return [token.raw];
  const children = readInline(token.tokens, { ...at, depth: at.depth + 1, isInLink: true });
  const pictures = picturesIn(token.tokens).flatMap((picture) => readPicture(picture, at));
  const words = textOf(children).trim() === '' ? [href] : children;
  return [{ is: 'link', href, children: words }, ...pictures];
}

function readPicture(token: Tokens.Image, at: Standing): PostNode[] {
  const words = decodeEntities(token.text).trim();
  const address = pictureAddress(decodeEntities(token.href));
  if (at.isInLink) return [words];
  if (address !== null) return [{ is: 'picture', address, words }];
  const href = safeAddress(decodeEntities(token.href));
  return href === null ? [token.raw] : [{ is: 'link', href, children: [words === '' ? href : words] }];
}

function picturesIn(tokens: readonly Token[]): Tokens.Image[] {
  return tokens.filter((token) => token.type === 'image').map((token) => token as Tokens.Image);
}
