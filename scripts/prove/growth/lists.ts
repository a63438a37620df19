import type { Proof } from '@hub/testkit';
import type { Caller } from './caller.ts';
import type { ListCase } from './list-cases.ts';
import { format, p99, type Swept, sweep } from './sweeps.ts';

const PAGE_BOUND_MS = 50;
const SEARCH_PATH = '/api/v1/search';

/** Measures every page of every list except searches, which have their own limit. */
export async function measureLists(
  proof: Proof,
  { caller, lists, rounds, when }: { caller: Caller; lists: readonly ListCase[]; rounds: number; when: string },
): Promise<void> {
  const read = async ({ pages, token }: ListCase): Promise<number[]> => {
    const taken: number[] = [];
    for (const page of pages) {
      const { ms, status, body } = await caller.get(page, token);
      if (status !== 200) throw new Error(`${page}: ${status} ${body}`);
      taken.push(ms);
    }
    return taken;
  };
  const measured = lists.filter(({ route }) => route !== SEARCH_PATH);
  const tasks = measured.map((list) => ({ name: `${list.route} ${list.name}`, once: () => read(list) }));
  const swept = await sweep(tasks, rounds);
  const byRoute = Map.groupBy(swept, (_, index) => measured[index]?.route ?? '');
  for (const cases of byRoute.values()) {
    const [worst] = cases.toSorted((one, other) => p99(other) - p99(one)) as [Swept];
    proof.report(`${format(worst)}, the slowest of ${cases.length} (${when})`);
  }
  const slow = swept.filter((each) => p99(each) >= PAGE_BOUND_MS);
  const pages = swept.flatMap(({ sweeps }) => sweeps.flat()).length;
  proof.check(
    `a page of any list takes under ${PAGE_BOUND_MS} ms (p99), ${when}`,
    slow.length === 0,
    slow.length === 0 ? `${byRoute.size} lists in ${swept.length} ways, ${pages} pages` : slow.map(format).join('; '),
  );
}
