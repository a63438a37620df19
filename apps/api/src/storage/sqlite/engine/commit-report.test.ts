import { expect, test } from 'bun:test';
import { openSqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { failure } from '@hub/testkit/storage/store-subject';
import { insertHub } from '@hub/testkit/storage/store-writes';
import type { CommitReport } from '../../commit-report.ts';

test('a commit reports the newest event of each Hub, without those of writes that failed', async () => {
  const commits: CommitReport[] = [];
  const subject = openSqliteUnderTest(undefined, { onCommit: (report) => commits.push(report) });
  const { store } = subject;
  const [one, two] = [await insertHub(store), await insertHub(store)];
  const rename = (hubId: string, name: string, isFailing = false) =>
    store.transaction(async ({ hubs, events }) => {
      await hubs.update(hubId, { name });
      const hub = await events.append({ hubId, at: 1, event: 'hub.changed', itemId: null, data: { name } });
      if (isFailing) throw new Error('fails after the event');
      return hub;
    });
  const failing = (hubId: string, name: string) => failure(rename(hubId, name, true));
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
  const head = await store.hubs.find(two.id);
  expect([...(commits[1]?.heads ?? [])]).toEqual([[two.id, head?.seq ?? 0]]);
  await subject.dispose();
});
