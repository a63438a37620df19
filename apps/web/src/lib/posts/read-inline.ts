import { decodeEntities } from '@hub/contract/blocks/html-entities';
import { readText } from '@hub/contract/markdown/shortcodes';
import type { MarkedToken, Token, Tokens } from 'marked';
import { htmlNesting, imageNodes, merged, type ReadContext, within } from './html-nodes.ts';
import { isBlank, type PostNode, textOf } from './post-tree.ts';
import { safeUrl } from './safe-url.ts';

/** Parses the tokens within a paragraph, a heading or a cell. Tokens beyond the budget become plain text. */
export function readInline(tokens: readonly Token[], context: ReadContext): PostNode[] {
  const html = htmlNesting(context);
  for (const token of tokens) {
    if (!context.budget.take(context.depth + html.depth)) html.add(token.raw);
    else if (token.type === 'html') html.read(token.raw);
    else html.add(...readToken(token as MarkedToken, within(html, context)));
  }
  return merged(html.end());
}

function readToken(token: MarkedToken, context: ReadContext): PostNode[] {
  const inner = () => readInline(('tokens' in token && token.tokens) || [], { ...context, depth: context.depth + 1 });
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [{ type: token.type, children: inner() }];
    case 'text':
      return token.tokens ? readInline(token.tokens, context) : [readText(token.text, context.names)];
    case 'escape':
      return [token.text];
    case 'codespan':
      return [{ type: 'code', children: [token.text] }];
    case 'br':
      return [{ type: 'break' }];
    case 'link':
      return readLink(token, context);
    case 'image':
      return readImage(token, context);
    case 'checkbox':
      return [];
    default:
      return [token.raw];
  }
}

/** Returns a link, or its source text if its URL is not safe. */
function readLink(token: Tokens.Link, context: ReadContext): PostNode[] {
  const href = safeUrl(decodeEntities(token.href, context.names?.entities));
  if (href === null || context.isInLink) return [token.raw];
  const children = readInline(token.tokens, { ...context, depth: context.depth + 1, isInLink: true });
  return [{ type: 'link', href, children: isBlank(children) ? [href] : children }];
}

function readImage(token: Tokens.Image, context: ReadContext): PostNode[] {
  const address = decodeEntities(token.href, context.names?.entities);
  const text = textOf(readInline(token.tokens, { ...context, depth: context.depth + 1 })).trim();
  const nodes = imageNodes({ address, text, raw: token.raw });
  // Links cannot be nested.
  return context.isInLink
    ? nodes.map((node) => (typeof node === 'object' && node.type === 'link' ? text : node))
    : nodes;
}
