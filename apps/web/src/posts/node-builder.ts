import { MAX_DEPTH, MAX_NODES, type PostNode } from './post-tree.ts';

/** Counts what a tree grows to, and orders its headings. One for each post. */
export class NodeBudget {
  #left = MAX_NODES;
  #headings: number[] = [];

  /** Whether there is room for one more node at this depth, or for what takes as much as several. */
  take(depth: number, cost = 1): boolean {
    this.#left -= cost;
    return this.#left >= 0 && depth <= MAX_DEPTH;
  }

  /**
   * Headings of a post begin at the third level, below those of the page, and none is more than one level below the one before
   * it, whatever levels were written.
   */
  headingLevel(written: number): 3 | 4 | 5 | 6 {
    while ((this.#headings.at(-1) ?? 0) >= written) this.#headings.pop();
    this.#headings.push(written);
    return Math.min(2 + this.#headings.length, 6) as 3 | 4 | 5 | 6;
  }
}

/** Adds to `nodes`; texts that follow each other become one. */
export function add(nodes: PostNode[], node: PostNode): void {
  const last = nodes.at(-1);
  if (typeof node !== 'string') nodes.push(node);
  else if (typeof last === 'string') nodes[nodes.length - 1] = last + node;
  else if (node !== '') nodes.push(node);
}

/** The text of nodes, without the addresses of links. */
export function textOf(nodes: readonly PostNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if ('children' in node) return textOf(node.children);
      return node.is === 'picture' ? node.text : '';
    })
    .join('');
}

export function isBlank(nodes: readonly PostNode[]): boolean {
  return nodes.every((node) => {
    if (typeof node === 'string') return node.trim() === '';
    return 'children' in node ? isBlank(node.children) : node.is === 'break';
  });
}
