import { beforeEach, describe, expect, test } from 'bun:test';
import { hubRecord } from '@hub/testkit/storage/store-records';
import { type OpenStoreUnderTest, storeSubject } from '@hub/testkit/storage/store-subject';
import { insertHub, updateHub } from '@hub/testkit/storage/store-writes';
import type { HubRecord } from '../hubs.ts';
import type { Store } from '../store.ts';

/** Describes what every adapter promises about Hubs. */
export function describeHubs(open: OpenStoreUnderTest): void {
  describe('Hubs', () => {
    const subject = storeSubject(open);
    let hub: HubRecord;
    beforeEach(async () => {
      hub = await insertHub(subject.store);
    });

    test('a new Hub is read back exactly as it was created', async () => {
      expect(await subject.store.hubs.find(hub.id)).toEqual({ ...hub, seq: 0 });
      expect(await subject.store.hubs.find('hub_unknown')).toBeNull();
    });

    test('an update changes only the given fields, and writes no event', async () => {
      await updateHub(subject.store, hub.id, { name: 'Deploys', retentionDays: 30 });
      await updateHub(subject.store, hub.id, { deletedAt: 1_000 });
      const changed = { ...hub, name: 'Deploys', retentionDays: 30, seq: 0 };
      expect(await subject.store.hubs.find(hub.id)).toEqual({ ...changed, deletedAt: 1_000 });
      await updateHub(subject.store, hub.id, { deletedAt: null });
      expect(await subject.store.hubs.find(hub.id)).toEqual(changed);
      expect(await subject.eventsOf(hub.id)).toEqual([]);
    });

    test('a live Hub is found by its normalized name, which no other live Hub can have', async () => {
      const { normalizedName } = hub;
      const find = async () => (await subject.store.hubs.findByName(normalizedName))?.id;
      const takes = (other: HubRecord) => updateHub(subject.store, other.id, { normalizedName });
      const other = await insertHub(subject.store);
      expect(await find()).toBe(hub.id);
      await expect(takes(other)).rejects.toThrow();
      await expect(insertHub(subject.store, hubRecord({ normalizedName }))).rejects.toThrow();
      await updateHub(subject.store, hub.id, { deletedAt: 1 });
      expect(await find()).toBeUndefined();
      await takes(other);
      expect(await find()).toBe(other.id);
      await expect(updateHub(subject.store, hub.id, { deletedAt: null })).rejects.toThrow();
      await insertHub(subject.store, hubRecord({ normalizedName, deletedAt: 1 }));
      expect(await find()).toBe(other.id);
    });

    test('lists are newest first, page by page, and can be filtered by state', async () => {
      const second = await insertHub(subject.store);
      const third = await insertHub(subject.store);
      await updateHub(subject.store, second.id, { deletedAt: 1 });
      const ids = async (page: Parameters<Store['hubs']['list']>[0]) =>
        (await subject.store.hubs.list(page)).map(({ id }) => id);
      expect(await ids({ limit: 10, filter: 'all' })).toEqual([third.id, second.id, hub.id]);
      expect(await ids({ limit: 10, filter: 'live' })).toEqual([third.id, hub.id]);
      expect(await ids({ limit: 10, filter: 'deleted' })).toEqual([second.id]);
      expect(await ids({ limit: 1, filter: 'live' })).toEqual([third.id]);
      expect(await ids({ limit: 10, filter: 'live', before: third.id })).toEqual([hub.id]);
      expect(await ids({ limit: 10, filter: 'all', before: third.id })).toEqual([second.id, hub.id]);
      expect(await ids({ limit: 10, filter: 'deleted', before: second.id })).toEqual([]);
    });
  });
}
