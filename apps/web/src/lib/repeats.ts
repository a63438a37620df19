import type { Item } from '@hub/contract';
import { dayKey } from './time/format.ts';

/**
 * Messages of one key on one day that differ only in numbers, times, hexadecimal ids and durations. They are consecutive,
 * or alternate with those of one other pattern.
 */
export interface Repeats {
  /** The messages before the newest one, oldest first. */
  older: readonly Item[];
  /** The id of the oldest message that the row of the newest one stands for. */
  oldest: string;
  /** Whether each has a row, and not only the newest one. */
  isOpen: boolean;
}

export interface CollapsedItems {
  items: readonly Item[];
  /** By the id of their newest message. */
  repeats: ReadonlyMap<string, Repeats>;
}

/** So many collapsed messages load by themselves; the older ones when they are asked for. */
export const MAX_COLLAPSED = 500;

interface CollapseOptions {
  isOpen: (repeats: readonly Item[]) => boolean;
  /** Whether a divider or something in use stands between these two items. */
  isApart?: (before: Item, item: Item) => boolean;
}

/** Returns the items without those that a later one repeats. `items` and the result are sorted from old to new. */
export function collapseRepeats(items: readonly Item[], { isOpen, isApart }: CollapseOptions): CollapsedItems {
  const hidden = new Set<Item>();
  const repeats = new Map<string, Repeats>();
  for (const group of groupsOf(items, isApart)) {
    const older = group.slice(0, -1);
    const [oldest, newest] = [group[0], group.at(-1)];
    if (!oldest || !newest) continue;
    const isEachShown = isOpen(group);
    if (!isEachShown) for (const item of older) hidden.add(item);
    repeats.set(newest.id, { older, oldest: oldest.id, isOpen: isEachShown });
  }
  return { items: hidden.size === 0 ? items : items.filter((item) => !hidden.has(item)), repeats };
}

/** Returns the messages that repeat each other within runs of one key, in which at most two patterns alternate. */
function groupsOf(items: readonly Item[], isApart: CollapseOptions['isApart']): (readonly Item[])[] {
  const groups: (readonly Item[])[] = [];
  let start = 0;
  let seen = new Set<string | null>();
  const endRun = (end: number) => {
    groups.push(...groupsIn(items.slice(start, end)));
    start = end;
    seen = new Set();
  };
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    const pattern = patternOf(item);
    if (before && (!isOfOneRun(before, item) || isApart?.(before, item))) endRun(index);
    else if (before && seen.size === 2 && !seen.has(pattern)) {
      const run = items.slice(start, index);
      // What came last can alternate with this one unless it already alternates with what was before it.
      const last = run.findLastIndex((each) => patternOf(each) !== patternOf(before)) + 1;
      endRun(singleOf(run) ? start + last : index);
      if (start < index) seen.add(patternOf(before));
    }
    seen.add(pattern);
  }
  endRun(items.length);
  return groups;
}

/** Returns the messages of a run by pattern. A message that nothing repeats stands between those before and after it. */
function groupsIn(run: readonly Item[]): (readonly Item[])[] {
  const single = singleOf(run);
  if (!single) return [...Map.groupBy(run, patternOf).values()];
  const at = run.indexOf(single);
  return [run.slice(0, at), run.slice(at + 1)].filter(({ length }) => length > 1);
}

/** Returns a message that no other one of the run repeats. */
function singleOf(run: readonly Item[]): Item | undefined {
  return [...Map.groupBy(run, patternOf).values()].find(({ length }) => length === 1)?.[0];
}

function isOfOneRun(before: Item, item: Item): boolean {
  if (patternOf(before) === null || patternOf(item) === null) return false;
  const isSameDay = dayKey(before.createdAt) === dayKey(item.createdAt);
  return before.key?.id === item.key?.id && isSameDay;
}

const patterns = new WeakMap<Item, string | null>();

/** Returns what the message has in common with those that it repeats; `null` for items that always have a row. */
function patternOf(item: Item): string | null {
  const cached = patterns.get(item);
  if (cached !== undefined) return cached;
  const pattern = canCollapse(item) ? `${item.key?.id} ${withoutNumbers(textOf(item))}` : null;
  patterns.set(item, pattern);
  return pattern;
}

type Message = Extract<Item, { kind: 'message' }>;

function canCollapse(item: Item): item is Message {
  if (item.kind !== 'message' || item.key === null || item.parentId !== null || item.deletedAt !== null) return false;
  const isPlain = item.replyCount === 0 && item.reactions.length === 0 && item.files === undefined;
  return isPlain && item.conversion === null;
}

function textOf({ text, blocks }: Message): string {
  return blocks === null ? (text ?? '') : JSON.stringify(blocks.map(({ type, data }) => [type, data]));
}

const UNIT = '(?:[nµμu]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?)';
/** Applied one after the other. Numbers become 0 first, so that the later ones are short. */
const NUMBERS: readonly [RegExp, string][] = [
  [/\b(?:0x)?(?=[a-f-]*\d)[\da-f]{6,}(?:-[\da-f]{4,}){0,4}\b/gi, '0'],
  [/\d+(?:[.,]\d+)*/g, '0'],
  [new RegExp(`\\b0 ?${UNIT}\\b(?:,? ?(?:and )?0 ?${UNIT}\\b)*`, 'gi'), '0s'],
  [/\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b/gi, '0'],
  [
    /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\b(?=[ .,-]{1,2}0)|(?<=0[ .-]{1,2})(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\b/gi,
    '0',
  ],
  [/(?<=0 ?)[ap]m\b/gi, ''],
];

/** Returns the text with every number, time, hexadecimal id and duration replaced by the same sign. */
function withoutNumbers(text: string): string {
  return NUMBERS.reduce((rest, [pattern, sign]) => rest.replace(pattern, sign), text);
}
