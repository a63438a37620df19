import { describe, expect, test } from 'bun:test';
import type { AuditAction } from '@hub/contract';
import { testAudit } from '@hub/testkit/storage/store-records';
import { type OpenStoreUnderTest, storeSubject } from '@hub/testkit/storage/store-subject';
import { inGroups } from '@hub/testkit/storage/store-writes';
import type { AuditFilter } from '../audit.ts';

/** Describes what every adapter promises about searching the audit log. */
export function describeAudit(open: OpenStoreUnderTest): void {
  describe('the audit log', () => {
    const subject = storeSubject(open);

    const note = async (action: AuditAction, actorId: string | null, hubId: string | null = null) => {
      const actor = { kind: 'user' as const, id: actorId, name: 'Ada' };
      const entry = testAudit({ action, actor, hubId });
      await subject.store.transaction(({ audit }) => audit.insert(entry));
      return entry.id;
    };
    const found = async (filter: AuditFilter & { limit?: number; before?: string }) => {
      const { entries, next } = await subject.store.audit.search({ limit: 10, ...filter });
      return { ids: entries.map(({ id }) => id), next };
    };

    test('filters by Hub, by actor, by action, and by all of them', async () => {
      const a = await note('key.issued', 'usr_a', 'hub_1');
      const b = await note('key.revoked', 'usr_b', 'hub_1');
      const c = await note('key.issued', 'usr_b', 'hub_2');
      const d = await note('key.issued', 'usr_a', 'hub_2');
      const none = { next: null };
      expect(await found({})).toEqual({ ids: [d, c, b, a], ...none });
      expect(await found({ hubId: 'hub_1' })).toEqual({ ids: [b, a], ...none });
      expect(await found({ actorId: 'usr_b' })).toEqual({ ids: [c, b], ...none });
      expect(await found({ action: 'key.issued' })).toEqual({ ids: [d, c, a], ...none });
      expect(await found({ hubId: 'hub_2', actorId: 'usr_a', action: 'key.issued' })).toEqual({ ids: [d], ...none });
      expect(await found({ hubId: 'hub_3' })).toEqual({ ids: [], ...none });
    });

    test('examines a limited number of entries per page, and continues after them on the next page', async () => {
      const rare = await note('key.revoked', 'usr_a', 'hub_1');
      await inGroups(5_000, () => note('key.issued', 'usr_b', 'hub_1'));
      for (const filter of [{ actorId: 'usr_a' }, { action: 'key.revoked' as const, hubId: 'hub_1' }]) {
        const first = await found(filter);
        expect(first.ids).toEqual([]);
        expect(await found({ ...filter, before: first.next ?? '' })).toEqual({ ids: [rare], next: null });
      }
    });

    test('does not continue past the start of the requested time range', async () => {
      await inGroups(5_001, () => note('key.issued', 'usr_b'));
      const { entries } = await subject.store.audit.search({ limit: 1 });
      const from = (entries[0]?.at ?? 0) + 86_400_000;
      expect(await found({ actorId: 'usr_a', from })).toEqual({ ids: [], next: null });
    });
  });
}
