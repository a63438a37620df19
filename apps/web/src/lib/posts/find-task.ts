import type { PostNode } from './post-tree.ts';
import { readMarkdown } from './read-markdown.ts';

/** Matches the boxes of tasks, and the same characters in code and in other text. */
const BOX = /\[[ xX]\](?=\s)/g;

/**
 * Returns the index of the character between the brackets of a task, counted as in `ItemNode.task`; null if there is no
 * such task. The parser does not say where a task stands in the text, so this checks and unchecks boxes and looks which
 * tasks change: it numbers the boxes and parses the text once for each binary digit of their numbers.
 * @throws RangeError if the text is nested too deeply.
 */
export function findTask(text: string, task: number): number | null {
  const boxes = [...text.matchAll(BOX)].map(({ index }) => index + 1);
  let number = 0;
  for (let digit = 1; digit <= boxes.length; digit *= 2) {
    const isDone = tasksIn(withBoxes(text, boxes, (n) => (n & digit) !== 0))[task];
    if (isDone === undefined) return null;
    if (isDone) number |= digit;
  }
  const box = boxes[number - 1];
  return box !== undefined && changesOnly(task, text, withBox(text, box, text[box] === ' ')) ? box : null;
}

/** Returns the text with one box checked or unchecked. */
export function withBox(text: string, index: number, isDone: boolean): string {
  return text.slice(0, index) + (isDone ? 'x' : ' ') + text.slice(index + 1);
}

/** Returns the text with every box unchecked, to compare everything else. */
export function withoutChecks(text: string): string {
  return text.replace(BOX, '[ ]');
}

/** Returns the text with each box checked or not, by its number, counted from 1. */
function withBoxes(text: string, boxes: readonly number[], isDone: (number: number) => boolean): string {
  let all = '';
  let from = 0;
  for (const [n, index] of boxes.entries()) {
    all += text.slice(from, index) + (isDone(n + 1) ? 'x' : ' ');
    from = index + 1;
  }
  return all + text.slice(from);
}

function changesOnly(task: number, text: string, changed: string): boolean {
  const after = tasksIn(changed);
  const before = tasksIn(text);
  return before.length === after.length && before.every((isDone, n) => (isDone !== after[n]) === (n === task));
}

/** Returns which tasks are done, by their numbers. */
export function tasksIn(text: string): boolean[] {
  const tasks: boolean[] = [];
  const collect = (nodes: readonly PostNode[]) => {
    for (const node of nodes) {
      if (typeof node === 'string' || !('children' in node)) continue;
      if (node.type === 'item' && node.task !== undefined) tasks[node.task] = node.isDone === true;
      collect(node.children);
    }
  };
  collect(readMarkdown(text).nodes);
  return tasks;
}
