import { expect, test } from 'bun:test';
import { openSqliteUnderTest } from '../../../testing/sqlite-under-test.ts';
import { hubRecord, testAudit } from '../../../testing/store-records.ts';
import { failure } from '../../../testing/store-subject.ts';
import type { CommitReport } from '../../commit-report.ts';

test('a commit reports the newest event of each Hub, without those of writes that failed', async () => {
  const commits: CommitReport[] = [];
  const subject = openSqliteUnderTest(undefined, { onCommit: (report) => commits.push(report) });
  const taken = testAudit();
  const one = await subject.store.hubs.create(hubRecord(), taken);
  const two = await subject.store.hubs.create(hubRecord(), testAudit());
  const rename = (hubId: string, name: string, audit = testAudit()) =>
    subject.store.hubs.change({ hubId, name, audit });
  // The audit entry is written last, after the event: its id is taken.
  const failing = (hubId: string, name: string) => failure(rename(hubId, name, testAudit({ id: taken.id })));
  commits.length = 0;

  const [first, , , second] = await Promise.all([
    rename(one.id, 'A'),
    failing(one.id, 'B'),
    failing(two.id, 'C'),
    rename(one.id, 'D'),
  ]);
  expect(second?.seq).toBe((first?.seq ?? 0) + 1);
  expect(commits.map(({ heads }) => [...heads])).toEqual([[[one.id, second?.seq ?? 0]]]);

  const [, third] = await Promise.all([rename(two.id, 'E'), failing(two.id, 'F')]);
  expect(third).toBeInstanceOf(Error);
  const head = await subject.store.hubs.find(two.id);
  expect([...(commits[1]?.heads ?? [])]).toEqual([[two.id, head?.seq ?? 0]]);
  await subject.dispose();
});
