import type { ApiKey, KeyDay, KeyUsageByDay } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { type Column, printTable } from '../../runtime/table.ts';
import { count } from '../../runtime/times.ts';
import { segment } from '../../runtime/workspace-api.ts';

/** The number of days shown, including today. */
export const USAGE_DAYS = 30;

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const NO_USE = '·';
const MAX_BAR = 20;

export async function usageOf(cli: Cli, key: Pick<ApiKey, 'id'>): Promise<KeyDay[]> {
  const days = String(USAGE_DAYS);
  return (await cli.api.get<KeyUsageByDay>(`/keys/${segment(key.id)}/usage`, { days })).items;
}

/** Returns one bar for each day, oldest first, scaled to the busiest day. */
export function sparkline(days: readonly KeyDay[]): string {
  const most = Math.max(...days.map(({ requests }) => requests));
  return days.map(({ requests }) => barFor(requests, most)).join('');
}

function barFor(requests: number, most: number): string {
  if (requests === 0) return NO_USE;
  return BARS[Math.ceil((requests / most) * BARS.length) - 1] ?? NO_USE;
}

/** Prints a row for each day with requests, below the fields of the key. */
export function printUsage(cli: Cli, days: readonly KeyDay[]): void {
  const used = days.filter(({ requests }) => requests > 0);
  if (used.length === 0) {
    cli.output.note(`Not used in the last ${count(days.length, 'day')}.`);
    return;
  }
  const most = Math.max(...used.map(({ requests }) => requests));
  const columns: Column<KeyDay>[] = [
    { title: 'DAY (UTC)', cell: ({ day }) => day },
    { title: 'REQUESTS', cell: ({ requests }) => String(requests) },
    { title: 'POSTS', cell: ({ posts }) => String(posts) },
    { title: '', cell: ({ requests }) => '█'.repeat(Math.ceil((requests / most) * MAX_BAR)) },
  ];
  cli.output.line();
  printTable(cli.output, columns, used);
}
