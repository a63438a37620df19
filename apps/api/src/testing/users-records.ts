import type { LinkKind, Role } from '@hub/contract';
import { LOCAL_ADMIN } from '../context/actor.ts';
import type { AuditRecord } from '../storage/audit-store.ts';
import type { LinkRecord, PersonalTokenRecord, SessionRecord, UserRecord } from '../storage/users-store.ts';
import { testAudit, testIds } from './store-records.ts';

/** User records as the use cases create them, for tests of the store. Times are small numbers. */
const randomHash = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));

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
    ...over,
  };
  return {
    user,
    passwordHash: `hash of ${id}`,
    hubIds,
    audit: testAudit({ action: 'person.created' }),
  };
}

export interface NewSession {
  session: SessionRecord;
  tokenHash: Uint8Array;
}

export function newSession(personId: string, over: Partial<SessionRecord> = {}): NewSession {
  const session: SessionRecord = {
    id: testIds('ses'),
    personId,
    createdAt: 100,
    lastUsedAt: 100,
    expiresAt: 1_000,
    address: '192.0.2.1',
    userAgent: 'Mozilla/5.0',
    ...over,
  };
  return { session, tokenHash: randomHash() };
}

export interface NewToken {
  token: PersonalTokenRecord;
  tokenHash: Uint8Array;
}

export function newToken(personId: string, over: Partial<PersonalTokenRecord> = {}): NewToken {
  const token: PersonalTokenRecord = {
    id: testIds('pat'),
    personId,
    name: 'hubctl',
    lastFour: 'abcd',
    createdAt: 100,
    expiresAt: null,
    lastUsedAt: null,
    lastUsedAddress: null,
    ...over,
  };
  return { token, tokenHash: randomHash() };
}

export interface NewLink {
  link: LinkRecord;
  tokenHash: Uint8Array;
}

export function newLink(kind: LinkKind, over: Partial<LinkRecord> = {}): NewLink {
  const link: LinkRecord = {
    id: testIds('lnk'),
    kind,
    email: null,
    role: null,
    hubIds: [],
    personId: null,
    createdAt: 100,
    createdBy: LOCAL_ADMIN,
    expiresAt: kind === 'setup' ? null : 1_000,
    ...over,
  };
  return { link, tokenHash: randomHash() };
}

export function newInvitation(email: string, over: Partial<LinkRecord> = {}): NewLink {
  return newLink('invitation', { email, role: 'member', ...over });
}
