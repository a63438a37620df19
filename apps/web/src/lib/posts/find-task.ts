import type { MarkedToken, Token, Tokens } from 'marked';
import { htmlReader } from './html-elements.ts';
import { NodeBudget } from './post-tree.ts';
import { lexed, readBlocks } from './read-markdown.ts';

/** Matches the boxes of tasks, and the same characters in code and in other text. */
const BOX = /\[[ xX]\]/g;

/**
 * Returns the index of the character between the brackets of a task, counted as in `ItemNode.task`; null if there is no
 * such task, or if checking it would change more than this task.
 * @throws RangeError if the text is nested too deeply.
 */
export function findTask(text: string, task: number): number | null {
  const tokens = lexed(text);
  const before = tasksOf(tokens);
  const item = before[task];
  const box = item && [...text.matchAll(BOX)][firstBoxes(tokens).get(item) ?? -1];
  if (!box) return null;
  const index = box.index + 1;
  const after = tasksIn(withBox(text, index, !item.checked));
  const changesOnlyIt = before.every((each, n) => (each.checked !== after[n]) === (n === task));
  return changesOnlyIt && before.length === after.length ? index : null;
}

/**
 * Returns the number of the first box in each list item among all boxes of the text. In quotes and lists, the raw text
 * of tokens lacks the beginnings of lines, which contain no other box.
 */
function firstBoxes(tokens: readonly Token[], first = 0, boxes = new Map<Token, number>()): Map<Token, number> {
  let next = first;
  for (const token of tokens as readonly MarkedToken[]) {
    const count = boxesIn(token);
    if (token.type === 'list_item') boxes.set(token, next);
    // The box of an item is before those inside.
    const inside = insideOf(token);
    if (count > 0) firstBoxes(inside, next + count - inside.reduce((sum, each) => sum + boxesIn(each), 0), boxes);
    next += count;
  }
  return boxes;
}

function boxesIn({ raw }: Token): number {
  return raw.match(BOX)?.length ?? 0;
}

function insideOf(token: MarkedToken): readonly Token[] {
  if (token.type === 'list') return token.items;
  return token.type === 'blockquote' || token.type === 'list_item' ? token.tokens : [];
}

export function withBox(text: string, index: number, isDone: boolean): string {
  return text.slice(0, index) + (isDone ? 'x' : ' ') + text.slice(index + 1);
}

/** Returns the text with every box unchecked, to compare everything else. */
export function withoutChecks(text: string): string {
  return text.replace(/\[[ xX]\](?=\s)/g, '[ ]');
}

function tasksOf(tokens: readonly Token[]): readonly Tokens.ListItem[] {
  const budget = new NodeBudget();
  readBlocks(tokens, { budget, depth: 0, html: htmlReader });
  return budget.tasks;
}

/** Returns which tasks are done, by their numbers. */
export function tasksIn(text: string): boolean[] {
  return tasksOf(lexed(text)).map(({ checked }) => checked === true);
}
