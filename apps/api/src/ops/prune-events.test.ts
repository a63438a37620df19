import { expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { recordsOf, type Team, teamOn } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import fc from 'fast-check';
import { newItem } from '../../test/store/records.ts';
import { deleteItem, insertItem } from '../../test/store/writes.ts';
import type { ItemRecord } from '../storage/items.ts';
import { FIRST_PRUNE_STEP, type PruneStep, pruneStep } from './prune.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ALL = ['message', 'reply', 'note', 'todo'] as const;

const hub = shared(startTestHub);

const visible = ({ id, parentId, createdAt, deletedAt, replyCount, lastReplyAt }: ItemRecord) => ({
  ...{ id, parentId, createdAt, deletedAt, replyCount, lastReplyAt },
});
type Visible = ReturnType<typeof visible>;

/** Returns the items that a newly loaded list would contain. */
async function fresh(hubId: string): Promise<Map<string, Visible>> {
  const { items } = await hub.store.items.list({ hubIds: [hubId], kinds: ALL, limit: 10_000 });
  return new Map(items.map((item) => [item.id, visible(item)]));
}

/** Applies the events as a client that knows nothing else would. */
async function applyEvents(items: Map<string, Visible>, hubId: string, after: number): Promise<void> {
  for (const { event, itemId, item, data } of await recordsOf(hub, hubId, after)) {
    if (event === 'items.pruned') {
      const before = Date.parse(String(data?.before));
      for (const [id, { createdAt }] of items) if (createdAt < before) items.delete(id);
    } else if (item && (item.deletedAt === null || item.replyCount > 0)) items.set(item.id, visible(item));
    else if (itemId !== null) items.delete(itemId);
  }
}

/** An item to create, with its replies. `age` is in days, according to the item's timestamp; `isGone`: deleted. */
interface Drawn {
  kind: 'message' | 'note' | 'todo';
  age: number;
  replies: { age: number; isGone: boolean }[];
  isGone: boolean;
}
/** Ages are in no particular order, as if clocks had been fast and were then set back. Negative ages are in the future. */
const age = fc.integer({ min: -5, max: 15 });
const drawn: fc.Arbitrary<Drawn[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('message', 'note', 'todo'),
    age,
    replies: fc.array(fc.record({ age, isGone: fc.boolean() }), { maxLength: 4 }),
    isGone: fc.boolean(),
  }),
  { maxLength: 12 },
);

async function write(team: Team, items: readonly Drawn[]): Promise<void> {
  const create = async (kind: ItemRecord['kind'], days: number, parentId: string | null) => {
    const createdAt = hub.clock.now() - days * DAY_MS;
    const id = hub.deps.newId(kind === 'note' || kind === 'todo' ? kind : 'msg');
    return insertItem(hub.store, newItem(team.hubId, team.ada.user.id, { id, kind, createdAt, parentId, title: 'T' }));
  };
  const remove = (itemId: string) => deleteItem(hub.store, itemId, hub.clock.now());
  for (const { kind, age: days, replies, isGone } of items) {
    const item = await create(kind, days, null);
    for (const reply of kind === 'message' ? replies : []) {
      const { id } = await create('reply', reply.age, item.id);
      if (reply.isGone) await remove(id);
    }
    if (isGone) await remove(item.id);
  }
}

/** Runs one pruning, yielding after each transaction. */
async function* steps(limit: number): AsyncGenerator<void> {
  let step: PruneStep | null = FIRST_PRUNE_STEP;
  while (step !== null) {
    const current: PruneStep = step;
    const bounds = { now: hub.clock.now(), limit };
    step = (await hub.store.transaction((tx) => pruneStep(tx, current, bounds))).next;
    yield;
  }
}

test('a client that follows a Hub while it is pruned has the same items as a fresh list after each transaction, whatever the timestamps, and no old items at the end', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, fc.integer({ min: 1, max: 6 }), async (items, limit) => {
      const team = await teamOn(hub, [`Ada ${crypto.randomUUID()}`, `Bob ${crypto.randomUUID()}`]);
      const { hubId } = team;
      const { items: elsewhere } = await hub.store.workspace.totals(0);
      await write(team, items);
      await hub.admin.raw('PATCH', `/hubs/${hubId}`, { retentionDays: 3 });
      const known = await fresh(hubId);
      let seq = await team.seq();
      for await (const _ of steps(limit)) {
        await applyEvents(known, hubId, seq);
        seq = await team.seq();
        expect(new Map([...known].sort())).toEqual(new Map([...(await fresh(hubId))].sort()));
        expect([...known.values()].filter(({ parentId }) => parentId !== null && !known.has(parentId))).toEqual([]);
      }
      const cutoff = hub.clock.now() - 3 * DAY_MS;
      expect([...known.values()].filter(({ createdAt }) => createdAt < cutoff)).toEqual([]);
      const live = [...known.values()].filter(({ deletedAt }) => deletedAt === null);
      expect((await hub.store.workspace.totals(0)).items - elsewhere).toBe(live.length);
      await hub.admin.raw('PATCH', `/hubs/${hubId}`, { retentionDays: null });
    }),
    { numRuns: 20 },
  );
}, 180_000);
