import type { Holdings } from '@hub/contract';
import { LOCALE } from '../../time/format.ts';

export interface HoldingsTotal {
  hubs: number;
  keys: number;
  openTodos: number;
}

export function totalOf({ items }: Holdings): HoldingsTotal {
  return {
    hubs: items.filter(({ isMember }) => isMember).length,
    keys: items.reduce((sum, { keys }) => sum + keys, 0),
    openTodos: items.reduce((sum, { openTodos }) => sum + openTodos, 0),
  };
}

/** "1 key", "2 keys", "No keys". */
export function countOf(count: number, noun: string): string {
  if (count === 0) return `No ${noun}s`;
  return `${count.toLocaleString(LOCALE)} ${noun}${count === 1 ? '' : 's'}`;
}
