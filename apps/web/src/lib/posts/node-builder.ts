import { MAX_DEPTH, MAX_NODES, type PostNode } from './post-tree.ts';

/** Limits the size of a post's tree, normalizes its heading levels and numbers its tasks. Each post has its own. */
export class NodeBudget {
  #left = MAX_NODES;
  #headings: number[] = [];
  #tasks = 0;

  /** Deducts one node from the budget and returns whether there is room for it at this depth. */
  take(depth: number, cost = 1): boolean {
    this.#left -= cost;
    return this.#left >= 0 && depth <= MAX_DEPTH;
  }

  /** Returns the number of the next task, counted from 0. */
  nextTask(): number {
    this.#tasks += 1;
    return this.#tasks - 1;
  }

  /**
   * Returns the level to show. Headings in a post start at level 3, below those of the page, and none is more than one
   * level below the one before it, regardless of the levels that were written.
   */
  headingLevel(written: number): 3 | 4 | 5 | 6 {
    while ((this.#headings.at(-1) ?? 0) >= written) this.#headings.pop();
    this.#headings.push(written);
    return Math.min(2 + this.#headings.length, 6) as 3 | 4 | 5 | 6;
  }
}

/** Adds a node; adjacent text nodes are joined. */
export function add(nodes: PostNode[], node: PostNode): void {
  const last = nodes.at(-1);
  if (typeof node !== 'string') nodes.push(node);
  else if (typeof last === 'string') nodes[nodes.length - 1] = last + node;
  else if (node !== '') nodes.push(node);
}

/** Returns the text of nodes, without the URLs of links. */
export function textOf(nodes: readonly PostNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if ('children' in node) return textOf(node.children);
      return node.is === 'image' ? node.text : '';
    })
    .join('');
}

export function isBlank(nodes: readonly PostNode[]): boolean {
  return nodes.every((node) => {
    if (typeof node === 'string') return node.trim() === '';
    return 'children' in node ? isBlank(node.children) : node.is === 'break';
  });
}
