import { LOCAL_ADMIN } from '../context/actor.ts';
import { createIds } from '../core/ids.ts';
import type { AuditRecord } from '../storage/audit-store.ts';
import type { NewPost } from '../storage/item-store.ts';
import type { KeyRecord } from '../storage/key-store.ts';
import type { HubRecord } from '../storage/records.ts';
import { TestClock } from './test-clock.ts';

/** Test data for the store, in the form in which the use cases create it. Every id is new, and ids increase. */
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
  return {
    id: testIds('hub'),
    name: 'Releases',
    conversationId: testIds('cnv'),
    notesBucketId: testIds('bkt'),
    todosBucketId: testIds('bkt'),
    createdAt: clock.now(),
    deletedAt: null,
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
    title: null,
    body: 'Hello',
    blocks: null,
    dueAt: null,
    priority: null,
    ...over,
  };
}
