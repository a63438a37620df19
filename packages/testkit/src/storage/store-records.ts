import type { Role } from '@hub/contract';
import {
  type AuditRecord,
  createIds,
  type HubRecord,
  type ItemQuery,
  type KeyRecord,
  LOCAL_ADMIN,
  type NewItem,
  type NewPost,
  NO_CONTENT,
  type UserRecord,
} from '../../../../apps/api/src/for-tests.ts';
import { TestClock } from '../in-process/test-clock.ts';

/**
 * Test data for the store, in the form in which the use cases create it. Every id is new, and ids increase. Times of users
 * and items are small numbers.
 */
const clock = new TestClock();
const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
export const testIds = createIds(clock, { bytes: randomBytes });

export function testAudit(over: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: testIds('aud'),
    at: clock.now(),
    actor: LOCAL_ADMIN,
    address: 'local',
    action: 'hub.created',
    hubId: null,
    targetId: null,
    targetName: null,
    details: {},
    ...over,
  };
}

export function hubRecord(over: Partial<HubRecord> = {}): HubRecord {
  const id = testIds('hub');
  return {
    id,
    name: 'Releases',
    normalizedName: id,
    conversationId: testIds('cnv'),
    notesBucketId: testIds('bkt'),
    todosBucketId: testIds('bkt'),
    createdAt: clock.now(),
    deletedAt: null,
    topic: null,
    retentionDays: null,
    ...over,
  };
}

export interface NewKey {
  key: KeyRecord;
  tokenHash: Uint8Array;
  audit: AuditRecord;
}

export function newKey(hubId: string, over: Partial<KeyRecord> = {}): NewKey {
  const key: KeyRecord = {
    id: testIds('key'),
    hubId,
    name: 'ci',
    description: null,
    link: null,
    lastFour: 'abcd',
    scopes: ['messages:create'],
    generation: 1,
    predecessorId: null,
    successorId: null,
    createdAt: clock.now(),
    createdBy: LOCAL_ADMIN,
    expiresAt: null,
    overlapEndsAt: null,
    revokedAt: null,
    blockedUntil: null,
    lastUsedAt: null,
    lastUsedAddress: null,
    requestCount: 0,
    postCount: 0,
    ...over,
  };
  return { key, tokenHash: randomBytes(32), audit: testAudit({ action: 'key.issued' }) };
}

export function newPost(key: { id: string; hubId: string }, over: Partial<NewPost> = {}): NewPost {
  return {
    id: testIds('msg'),
    kind: 'message',
    hubId: key.hubId,
    createdAt: clock.now(),
    keyId: key.id,
    keyName: 'ci',
    address: '192.0.2.1',
    requestId: testIds('req'),
    ...NO_CONTENT,
    body: 'Hello',
    ...over,
  };
}

export interface NewUser {
  user: UserRecord;
  passwordHash: string;
  /** The Hubs that the user joins immediately. */
  hubIds: readonly string[];
  audit: AuditRecord;
}

export function newUser(over: Partial<UserRecord> = {}, hubIds: readonly string[] = []): NewUser {
  const id = testIds('usr');
  const user: UserRecord = {
    id,
    email: `${id.toLowerCase()}@example.org`,
    name: 'Ada Lovelace',
    role: 'member' satisfies Role,
    createdAt: 100,
    disabledAt: null,
    lastSeenAt: null,
    factorDueAt: null,
    ...over,
  };
  return {
    user,
    passwordHash: `hash of ${id}`,
    hubIds,
    audit: testAudit({ action: 'user.created' }),
  };
}

export function newItem(hubId: string, authorId: string, over: Partial<NewItem> = {}): NewItem {
  return {
    id: testIds('msg'),
    kind: 'message',
    hubId,
    createdAt: 100,
    authorId,
    ...NO_CONTENT,
    body: 'Hello',
    assigneeId: null,
    parentId: null,
    sourceId: null,
    question: null,
    ...over,
  };
}

/** Returns a query for all messages in these Hubs, with overrides. */
export function itemQuery(hubIds: readonly string[], over: Partial<ItemQuery> = {}): ItemQuery {
  return { hubIds, kinds: ['message'], limit: 50, ...over };
}
