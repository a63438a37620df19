import { expect, test } from 'bun:test';
import { openSqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { newItem, newUser, testAudit } from '@hub/testkit/storage/store-records';
import { failure } from '@hub/testkit/storage/store-subject';
import { insertHub, insertItem, insertUser } from '@hub/testkit/storage/store-writes';
import type { ItemRecord, ItemUpdate } from '../items.ts';

test('an update is recorded for the search index if it concerns an indexed field or is a deletion', async () => {
  const subject = openSqliteUnderTest();
  const { store } = subject;
  const { id: hubId } = await insertHub(store);
  const [ada, bob] = [await insertUser(store, newUser({}, [hubId])), await insertUser(store, newUser({}, [hubId]))];
  const update = (item: ItemRecord, changes: ItemUpdate) =>
    store.transaction(({ items }) => items.update(item, changes, 200));
  const made = await insertItem(store, newItem(hubId, ada.id, { kind: 'todo', title: 'T' }));
  const other = await insertItem(store, newItem(hubId, ada.id));
  await update(made, { priority: 'HIGH', assigneeId: bob.id, version: 2 });
  await update(other, { conversionId: made.id, conversionKind: 'todo' });
  expect(subject.touchedGlobalSeqs()).toEqual([]);

  const audit = testAudit();
  await store.transaction((tx) => tx.audit.insert(audit));
  const lost = store.transaction(async (tx) => {
    await tx.items.update(made, { body: 'new words' }, 200);
    await tx.audit.insert(audit);
  });
  expect(await failure(lost)).toBeInstanceOf(Error);
  expect(subject.touchedGlobalSeqs()).toEqual([]);

  await update(made, { body: 'new words' });
  await update(made, { status: 'done' });
  await update(other, { deletedAt: 200 });
  expect(subject.touchedGlobalSeqs()).toEqual([made.globalSeq, made.globalSeq, other.globalSeq]);
  await subject.dispose();
});
