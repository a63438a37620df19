import { describe, expect, test } from 'bun:test';
import type { ApiKey, KeyDay } from '@hub/contract';
import { post, restartHub, startAfterKill, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { flushKeys } from '../../programs/flush-keys.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { key, id } = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
  const send = (text: unknown = 'x') => post(hub, 'messages', key, { text });
  return { hub, hubId, key, id, send, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const daysOf = async (hub: TestHub, id: string, query = '') =>
  ((await (await hub.admin.raw('GET', `/keys/${id}/usage${query}`)).json()) as { items: KeyDay[] }).items;

describe('key usage by day', () => {
  test('is shown for the last 30 days, oldest first, including days without use', async () => {
    await using t = await setUp();
    const days = await daysOf(t.hub, t.id);
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ day: '2026-01-31', requests: 0, posts: 0, blocks: 0 });
    expect(days.at(-1)).toEqual({ day: '2026-03-01', requests: 0, posts: 0, blocks: 0 });
    expect(new Set(days.map(({ day }) => day)).size).toBe(30);
  });

  test('counts requests and posts separately for each UTC day, and shows them immediately', async () => {
    await using t = await setUp();
    await t.send();
    await t.send(7);
    await flushKeys(t.hub.deps);
    await t.send();
    t.hub.clock.advance(DAY_MS);
    await flushKeys(t.hub.deps);
    await t.send();
    await t.send();
    expect(await daysOf(t.hub, t.id, '?days=3')).toEqual([
      { day: '2026-02-28', requests: 0, posts: 0, blocks: 0 },
      { day: '2026-03-01', requests: 3, posts: 2, blocks: 0 },
      { day: '2026-03-02', requests: 2, posts: 2, blocks: 0 },
    ]);
  });

  test('starts a new day at midnight UTC', async () => {
    await using t = await setUp();
    t.hub.clock.advance(Date.parse('2026-03-01T23:59:59.999Z') - t.hub.clock.now());
    await t.send();
    await flushKeys(t.hub.deps);
    t.hub.clock.advance(1);
    await t.send();
    expect(await daysOf(t.hub, t.id, '?days=2')).toEqual([
      { day: '2026-03-01', requests: 1, posts: 1, blocks: 0 },
      { day: '2026-03-02', requests: 1, posts: 1, blocks: 0 },
    ]);
  });

  test('is the same before and after it is saved and after a restart, and a kill loses no posts', async () => {
    await using t = await setUp();
    await t.send();
    const expected = [{ day: '2026-03-01', requests: 1, posts: 1, blocks: 0 }];
    expect(await daysOf(t.hub, t.id, '?days=1')).toEqual(expected);
    await flushKeys(t.hub.deps);
    expect(await daysOf(t.hub, t.id, '?days=1')).toEqual(expected);
    await Promise.all([t.send(), t.send()]);
    await using killed = await startAfterKill(t.hub);
    expect(await daysOf(killed, t.id, '?days=1')).toEqual([{ day: '2026-03-01', requests: 3, posts: 3, blocks: 0 }]);
    await using again = await restartHub(t.hub);
    expect(await daysOf(again, t.id, '?days=1')).toEqual([{ day: '2026-03-01', requests: 3, posts: 3, blocks: 0 }]);
  });

  test('covers 1 to 90 days', async () => {
    await using t = await setUp();
    expect(await daysOf(t.hub, t.id, '?days=90')).toHaveLength(90);
    for (const query of ['?days=0', '?days=91', '?days=x', '?days=', '?days=1&days=2', '?limit=3']) {
      expect((await t.hub.admin.raw('GET', `/keys/${t.id}/usage${query}`)).status).toBe(400);
    }
    for (const days of ['0', '91', 'x']) {
      expect((await t.hub.admin.raw('GET', `/keys?usageDays=${days}`)).status).toBe(400);
    }
    expect((await t.hub.admin.raw('GET', '/keys/key_unknown/usage')).status).toBe(404);
  });

  test('is included in a list only on request', async () => {
    await using t = await setUp();
    const unused = await t.hub.admin.issueKey({ hubId: t.hubId, name: 'unused' });
    await t.send();
    const usageOf = ({ id, usage }: ApiKey) => ({ id, usage });
    const { items } = await t.hub.admin.listKeys('?usageDays=2');
    expect(items.map(usageOf)).toEqual([
      {
        id: unused.id,
        usage: [
          { day: '2026-02-28', requests: 0, posts: 0, blocks: 0 },
          { day: '2026-03-01', requests: 0, posts: 0, blocks: 0 },
        ],
      },
      {
        id: t.id,
        usage: [
          { day: '2026-02-28', requests: 0, posts: 0, blocks: 0 },
          { day: '2026-03-01', requests: 1, posts: 1, blocks: 0 },
        ],
      },
    ]);
    expect((await t.hub.admin.listKeys()).items.some((key) => 'usage' in key)).toBe(false);
  });
});
