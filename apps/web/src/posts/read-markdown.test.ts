import { expect, test } from 'bun:test';
import { textOf } from './node-builder.ts';
import type { PostNode } from './post-tree.ts';
import { readMarkdown } from './read-markdown.ts';

/** Without the parts that a large tree is divided into. */
const whole = (nodes: readonly PostNode[]): PostNode[] =>
  nodes.flatMap((node) => (typeof node === 'object' && node.is === 'part' ? whole(node.children) : [node]));

test.each(['', '> '])(
  'the rows of a table that are too many stand behind it as they were written, within %j',
  (mark) => {
    const row = (n: number) => `|${` r${n} |`.repeat(60)}`;
    const rows = [...Array.from({ length: 140 }, (_, n) => row(n)), '| short |', '|  | two \\| cells|', 'last | row'];
    const text = [row(0), '|-'.repeat(60), ...rows].map((line) => mark + line).join('\n');
    const nodes = whole(readMarkdown(text).nodes);
    const inside = nodes.flatMap((node) =>
      typeof node === 'object' && node.is === 'quote' ? whole(node.children) : node,
    );
    const raw = inside.filter((node) => typeof node === 'object' && node.is === 'raw');
    const left = textOf(raw).split('\n');
    expect(left.length).toBeGreaterThan(3);
    expect(left).toEqual(rows.slice(-left.length));
  },
);
