/**
 * Test data for the store, in the form in which the use cases create it. Every id is new, and ids increase. Times of users
 * and items are small numbers.
 */
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { LOCAL_ADMIN } from '../../src/access/caller.ts';
import { createIds } from '../../src/platform/ids.ts';
import type { AuditRecord } from '../../src/storage/audit.ts';
import type { HubRecord } from '../../src/storage/hubs.ts';
import type { ItemQuery } from '../../src/storage/item-pages.ts';
import { type NewItem, type NewPost, NO_CONTENT } from '../../src/storage/items.ts';
import type { KeyRecord } from '../../src/storage/keys.ts';
import type { UserRecord } from '../../src/storage/users.ts';

const clock = new TestClock();
const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
export const testIds = createIds(clock, { bytes: randomBytes });

export function testAudit(over: Partial<AuditRecord> = {}): AuditRecord {
  return {
    ...{ id: testIds('aud'), at: clock.now(), actor: LOCAL_ADMIN, address: 'local', action: 'hub.created' },
    ...{ hubId: null, targetId: null, targetName: null, details: {} },
    ...over,
  };
}

export function hubRecord(): HubRecord {
  const id = testIds('hub');
  const [conversationId, notesBucketId, todosBucketId] = [testIds('cnv'), testIds('bkt'), testIds('bkt')];
  return {
    ...{ id, name: 'Releases', normalizedName: id, conversationId, notesBucketId, todosBucketId },
    ...{ createdAt: clock.now(), deletedAt: null, topic: null, retentionDays: null },
  };
}

export function newKey(hubId: string) {
  const key: KeyRecord = {
    ...{ id: testIds('key'), hubId, name: 'ci', description: null, link: null, lastFour: 'abcd' },
    ...{ scopes: ['messages:create'], generation: 1, predecessorId: null, successorId: null },
    ...{ createdAt: clock.now(), createdBy: LOCAL_ADMIN, expiresAt: null, overlapEndsAt: null, revokedAt: null },
    ...{ blockedUntil: null, lastUsedAt: null, lastUsedAddress: null, requestCount: 0, postCount: 0 },
  };
  return { key, tokenHash: randomBytes(32) };
}

export function newPost(key: { id: string; hubId: string }, over: Partial<NewPost> = {}): NewPost {
  return {
    ...{ id: testIds('msg'), kind: 'message', hubId: key.hubId, createdAt: clock.now(), keyId: key.id, keyName: 'ci' },
    ...{ address: '192.0.2.1', requestId: testIds('req'), ...NO_CONTENT, body: 'Hello' },
    ...over,
  };
}

/** Returns a user, and the Hubs that they join immediately. */
export function newUser(over: Partial<UserRecord> = {}, hubIds: readonly string[] = []) {
  const id = testIds('usr');
  const user: UserRecord = {
    ...{ id, email: `${id.toLowerCase()}@example.org`, name: 'Ada Lovelace', role: 'member', createdAt: 100 },
    ...{ disabledAt: null, lastSeenAt: null, factorDueAt: null },
    ...over,
  };
  return { user, hubIds };
}

export function newItem(hubId: string, authorId: string, over: Partial<NewItem> = {}): NewItem {
  return {
    ...{ id: testIds('msg'), kind: 'message', hubId, createdAt: 100, authorId, ...NO_CONTENT, body: 'Hello' },
    ...{ assigneeId: null, parentId: null, sourceId: null, question: null },
    ...over,
  };
}

/** Returns a query for all messages in these Hubs, with overrides. */
export function itemQuery(hubIds: readonly string[], over: Partial<ItemQuery> = {}): ItemQuery {
  return { hubIds, kinds: ['message'], limit: 50, ...over };
}
