import { expect, test } from 'bun:test';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { newPost } from '@hub/testkit/storage/store-records';
import { insertPost } from '@hub/testkit/storage/store-writes';

test('a time range finds the posts of a busy key among thousands, however many steps it takes', async () => {
  await using hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId } = await hub.admin.issueKey({ hubId });
  const dayOf = (createdAt: number, count: number) =>
    Promise.all(
      Array.from({ length: count }, () => insertPost(hub.store, newPost({ hubId, id: keyId }, { createdAt }))),
    );
  const [start, days] = [hub.clock.now(), 24 * 60 * 60 * 1000];
  await dayOf(start, 2_100);
  await dayOf(start + 3 * days, 1);
  await dayOf(start + 6 * days, 2_100);
  const find = async (fromDay: number | null, toDay: number | null) => {
    const at = (day: number | null) => (day === null ? null : start + day * days);
    return (await hub.store.removals.postGlobalSeqs({ hubId, keyId, fromAt: at(fromDay), toAt: at(toDay) })).length;
  };
  expect([await find(null, null), await find(2, 5), await find(null, 3), await find(3, null)]).toEqual([
    4_201, 1, 2_100, 2_101,
  ]);
});

test('posts by a busy key are removed and restored in parts, and other posts are accepted in between', async () => {
  await using hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId } = await hub.admin.issueKey({ hubId });
  const other = { hubId, id: (await hub.admin.issueKey({ hubId })).id };
  const sent = Array.from({ length: 1_100 }, () => insertPost(hub.store, newPost({ hubId, id: keyId })));
  await Promise.all(sent);
  const responded: string[] = [];
  const posting = async (): Promise<void> => {
    for (let n = 0; n < 3; n += 1) {
      await insertPost(hub.store, newPost(other));
      responded.push('post');
    }
  };
  const removal = async (method: string, path: string) => {
    const response = await hub.admin.raw(method, path);
    responded.push('removal');
    return (await response.json()) as { id: string; count: number; undoneAt: string | null };
  };

  const [removed] = await Promise.all([removal('POST', `/keys/${keyId}/removals`), posting()]);
  expect(removed.count).toBe(1_100);
  expect(responded).toEqual(['post', 'post', 'post', 'removal']);
  expect((await hub.store.workspace.totals(0)).items).toBe(3);
  const deletions = await hub.query("SELECT seq FROM events WHERE event = 'message.deleted'");
  expect(deletions).toHaveLength(1_100);

  await removal('DELETE', `/keys/${keyId}/removals/${removed.id}`);
  expect((await hub.store.workspace.totals(0)).items).toBe(1_103);
  expect((await hub.store.removals.list({ keyId, limit: 1 }))[0]).toMatchObject({ count: 1_100 });
});
