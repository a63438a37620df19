import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PERSONAL_TOKEN_PREFIX } from '@hub/contract';
import { LOCAL_ADMIN, localCaller } from '../src/actor.ts';
import { argon2id } from '../src/adapters/argon2id.ts';
import { createDeps } from '../src/create-deps.ts';
import type { Deps } from '../src/deps.ts';
import { createHub } from '../src/hubs/create-hub.ts';
import { generateToken } from '../src/keys/generate-token.ts';
import { hashToken } from '../src/keys/hash-token.ts';
import { issueKey } from '../src/keys/issue-key.ts';
import type { AuditAction, AuditRecord } from '../src/storage/audit-store.ts';
import { openStore } from '../src/storage/sqlite/open-store.ts';
import { clock, log, noSearch, random } from './ports.ts';

const ISSUE_BATCH = 200;

/** The data that followers need to connect to the seeded Hub. */
export interface LiveSeed {
  hubId: string;
  /** A personal access token of a member. */
  token: string;
}

/** Fills a data folder through the store: one Hub with this many keys (one per line in keys.txt), and one member. */
export async function seedLive(dataDir: string, keys: number): Promise<LiveSeed> {
  mkdirSync(dataDir, { recursive: true });
  const deps = await createDeps({
    clock,
    random,
    passwords: argon2id,
    log,
    openStore: (newId) => openStore({ dataDir, clock, newId }),
    startSearch: () => noSearch,
    push: null,
    web: null,
    server: { version: 'bench', baseUrl: () => '', plainHttpHost: null, dataDir, startedAt: 0, startedAtMonotonic: 0 },
  });
  const caller = localCaller('local');
  const { id: hubId } = await createHub(deps, caller, { name: 'Live' });
  const tokens: string[] = [];
  for (let done = 0; done < keys; done += ISSUE_BATCH) {
    const issue = (_: unknown, n: number) =>
      issueKey(deps, caller, { hubId, name: `key ${done + n}`, scopes: ['messages:create'] });
    const issued = await Promise.all(Array.from({ length: Math.min(ISSUE_BATCH, keys - done) }, issue));
    tokens.push(...issued.map(({ key }) => key));
  }
  const token = await addMember(deps, hubId);
  await deps.store.close();
  await Bun.write(join(dataDir, 'keys.txt'), tokens.join('\n'));
  return { hubId, token };
}

async function addMember({ store, newId }: Deps, hubId: string): Promise<string> {
  const at = clock.now();
  const personId = newId('usr');
  const audit = (action: AuditAction): AuditRecord => ({
    id: newId('aud'),
    at,
    actor: LOCAL_ADMIN,
    address: null,
    action,
    hubId: null,
    targetId: personId,
    targetName: 'Ada',
    details: {},
  });
  await store.users.create({
    user: {
      id: personId,
      email: 'ada@example.org',
      name: 'Ada',
      role: 'member',
      createdAt: at,
      disabledAt: null,
      lastSeenAt: null,
    },
    passwordHash: '',
    hubs: [{ hubId, audit: audit('member.added') }],
    audit: audit('person.created'),
  });
  const token = generateToken(PERSONAL_TOKEN_PREFIX, random);
  await store.users.createToken({
    token: {
      id: newId('pat'),
      personId,
      name: 'bench',
      lastFour: token.slice(-4),
      createdAt: at,
      expiresAt: null,
      lastUsedAt: null,
      lastUsedAddress: null,
    },
    tokenHash: hashToken(token),
    audit: audit('token.created'),
  });
  return token;
}
