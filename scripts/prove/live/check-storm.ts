import type { Proof } from '@hub/testkit';
import type { checkViews } from './check.ts';
import type { Crowd } from './crowd.ts';
import type { Ledger } from './ledger.ts';
import type { Records } from './records.ts';

const count = (value: number): string => value.toLocaleString('en-US');
const few = (problems: readonly string[]): string =>
  problems.length === 0 ? '' : `${problems.length}: ${problems.slice(0, 3).join('; ')}`;

export interface Outcome {
  records: Records;
  ledger: Ledger;
  checked: ReturnType<typeof checkViews>;
}

export function sayCounts(
  proof: Proof,
  {
    crowd,
    records: { sums, createdAt },
    ledger,
    checked,
    newest,
  }: Outcome & { crowd: Crowd; newest: ReadonlyMap<string, number> },
): void {
  const events = [...newest.values()].reduce((sum, seq) => sum + seq, 0);
  const rows: [string, number][] = [
    [`readers, ${crowd.library.length} of them with the library`, crowd.readers.length],
    ['connections', sums.connections],
    ['cuts', sums.cuts],
    ['  in the middle of a frame, as far as readers by hand saw', sums.cutsInFrame],
    ['reads from a stale number', sums.staleStarts],
    ['resets', sums.resets],
    ['events', events],
    ['events that arrived', sums.frames],
    ['requests done', ledger.done],
    ['  and too late, another user was faster', ledger.outrun],
    ['  and without a response, during restarts', ledger.unanswered],
    ['items acknowledged', ledger.acknowledged.size],
    ['items created, also without a response', createdAt.size],
    ['views compared with a fresh load', checked.views],
    ['  and the items in them', checked.items],
    ['missed', sums.missed + checked.missing],
    ['twice', sums.twice],
    ['out of order', sums.outOfOrder],
  ];
  for (const [what, value] of rows) proof.report(`${what.padEnd(60)} ${count(value).padStart(12)}`);
}

interface Before {
  cuts: number;
  acknowledged: number;
}

/** Checks all events, from the first to the last. */
export function checkStorm(
  proof: Proof,
  outcome: Outcome & {
    lagging: readonly string[];
    codes: readonly (number | null)[];
    before: Before;
    restarts: number;
  },
): void {
  const { lagging, codes, records, ledger, checked, before, restarts } = outcome;
  const { sums, surprises } = records;
  proof.check('all readers reconnect and receive the newest event', lagging.length === 0, few(lagging));
  proof.check('missed: 0', sums.missed + checked.missing === 0, few(checked.behind));
  proof.check('twice: 0', sums.twice === 0);
  proof.check('out of order: 0', sums.outOfOrder === 0);
  proof.check(
    "each reader's state, built from events, equals a fresh load",
    checked.unequal.length === 0,
    few(checked.unequal),
  );
  proof.check(
    'each reader received each acknowledged item once',
    checked.miscounted.length === 0,
    few(checked.miscounted),
  );
  proof.check('the server follows its protocol', surprises.length === 0, few(surprises));
  proof.check('no request was rejected or lost without a reason', ledger.rejected.length === 0, few(ledger.rejected));
  proof.check(
    'a server that gets SIGTERM exits with 0',
    codes.every((code) => code === 0),
    codes.join(),
  );
  const isStorm = sums.cuts > before.cuts && sums.cutsInFrame > 0 && sums.resets > 0 && sums.staleStarts > 0;
  const isLoad = ledger.acknowledged.size > before.acknowledged && (restarts === 0 || ledger.unanswered > 0);
  proof.check('the storm had cuts, resets, outdated numbers and requests cut by restarts', isStorm && isLoad);
}
