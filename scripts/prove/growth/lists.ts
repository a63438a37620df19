import { quantile } from '../live/latencies.ts';
import type { Proof } from '../proof.ts';
import type { Caller } from './caller.ts';
import type { ListCase } from './list-cases.ts';

export const PAGE_BOUND_MS = 50;

/** What was taken of one list, with one filter, for one person: all of its pages together. */
export interface MeasuredList {
  readonly list: ListCase;
  readonly samples: number[];
  bytes: number;
}

/** Asks for every page in turn, round by round, so that what a page finds in the caches is what all the others left. */
export async function measureLists(
  caller: Caller,
  lists: readonly ListCase[],
  rounds: number,
): Promise<MeasuredList[]> {
  const measured = lists.map((list) => ({ list, samples: [] as number[], bytes: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (const each of measured) {
      for (const page of each.list.pages) {
        const { ms, status, body } = await caller.get(page, each.list.token);
        if (status !== 200) throw new Error(`${page}: ${status} ${body}`);
        each.samples.push(ms);
        each.bytes = Math.max(each.bytes, body.length);
      }
    }
  }
  return measured;
}

/** Says what each list took at worst, and demands that every page of every list holds its bound. */
export function judgeLists(proof: Proof, when: string, measured: readonly MeasuredList[]): void {
  const byRoute = Map.groupBy(measured, ({ list }) => list.route);
  for (const [route, cases] of byRoute) {
    const worst = cases.toSorted((one, other) => p99(other) - p99(one))[0] as MeasuredList;
    const pages = worst.list.pages.length === 1 ? ', one page' : '';
    proof.say(
      `${route}, ${when}: p99 ${p99(worst).toFixed(1)} ms, p50 ${quantile(worst.samples, 0.5).toFixed(1)} ms, ` +
        `${(worst.bytes / 1000).toFixed(0)} KB (worst of ${cases.length}: ${worst.list.name}${pages})`,
    );
  }
  const slow = measured.filter((each) => p99(each) >= PAGE_BOUND_MS);
  proof.check(
    `a page of any list takes under ${PAGE_BOUND_MS} ms (p99), ${when}`,
    slow.length === 0,
    slow.length === 0
      ? `${byRoute.size} lists, ${measured.length} kinds of asking, ${measured.flatMap(({ samples }) => samples).length} pages`
      : slow.map((each) => `${each.list.route} ${each.list.name} ${p99(each).toFixed(0)} ms`).join('; '),
  );
}

function p99({ samples }: MeasuredList): number {
  return quantile(samples, 0.99);
}
