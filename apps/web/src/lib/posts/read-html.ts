import { type InlineNode, parseInlineHtml } from '@hub/contract/blocks/inline-html';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { add, type NodeBudget } from './node-builder.ts';
import type { PostNode } from './post-tree.ts';
import { safeUrl } from './safe-url.ts';

const KIND_OF = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  u: 'u',
  s: 'del',
  code: 'code',
  mark: 'mark',
} as const;

/** Parses the inline HTML in Editor.js text. */
export function readHtml(html: string, budget: NodeBudget): PostNode[] {
  return fromInline(parseInlineHtml(withoutEscapes(html)), budget);
}

function fromInline(inline: readonly InlineNode[], budget: NodeBudget): PostNode[] {
  const nodes: PostNode[] = [];
  for (const node of inline) {
    // In HTML, a line ending is a space; in the tree, it would remain a line ending.
    if (typeof node === 'string') add(nodes, node.replace(/[\r\n\t]+/g, ' '));
    else if (!budget.take(0)) add(nodes, plainText([node]));
    else if (node.tag === 'br') nodes.push({ is: 'break' });
    else if (node.tag !== 'a') nodes.push({ is: KIND_OF[node.tag], children: fromInline(node.children, budget) });
    else {
      const href = safeUrl(node.href);
      const children = fromInline(node.children, budget);
      if (href !== null) nodes.push({ is: 'link', href, children });
      else for (const child of children) add(nodes, child);
    }
  }
  return nodes;
}

function plainText(inline: readonly InlineNode[]): string {
  return inline
    .map((node) => {
      if (typeof node === 'string') return node;
      return node.tag === 'br' ? '\n' : plainText(node.children);
    })
    .join('');
}
