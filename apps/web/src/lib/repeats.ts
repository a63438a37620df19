import type { Item } from '@hub/contract';
import { dayKey } from './time/format.ts';

/** Consecutive messages of one key in its Hub on one day that differ only in numbers, times, hexadecimal ids and durations. */
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
  /** Whether a divider or something in use stands between these two items, which are consecutive in their Hub. */
  isApart?: (before: Item, item: Item) => boolean;
}

/**
 * Returns the items without those that a later one repeats. `items` and the result are sorted from old to new. What other
 * Hubs got in between does not count, so that the Stream has the same rows as the Hubs.
 */
export function collapseRepeats(items: readonly Item[], { isOpen, isApart }: CollapseOptions): CollapsedItems {
  const hidden = new Set<Item>();
  const repeats = new Map<string, Repeats>();
  const end = (group: readonly Item[]) => {
    const [[oldest], newest, older] = [group, group.at(-1), group.slice(0, -1)];
    if (!oldest || !newest || older.length === 0) return;
    const isEachShown = isOpen(group);
    if (!isEachShown) for (const item of older) hidden.add(item);
    repeats.set(newest.id, { older, oldest: oldest.id, isOpen: isEachShown });
  };
  /** By Hub. */
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.hubId) ?? [];
    const before = group.at(-1);
    if (before && isRepeat(before, item) && !isApart?.(before, item)) {
      group.push(item);
      continue;
    }
    end(group);
    groups.set(item.hubId, [item]);
  }
  groups.forEach(end);
  return { items: hidden.size === 0 ? items : items.filter((item) => !hidden.has(item)), repeats };
}

function isRepeat(before: Item, item: Item): boolean {
  const pattern = patternOf(item);
  return pattern !== null && pattern === patternOf(before) && dayKey(before.createdAt) === dayKey(item.createdAt);
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
