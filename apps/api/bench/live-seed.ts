import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PERSONAL_TOKEN_PREFIX } from '@hub/contract';
import { type Caller, localCaller } from '../src/access/caller.ts';
import { generateToken, hashToken } from '../src/access/credentials.ts';
import { type AppDeps, createDeps } from '../src/create-deps.ts';
import { argon2id } from '../src/platform/adapters/crypto.ts';
import { openStore } from '../src/storage/sqlite/open-store.ts';
import { createHub } from '../src/workspace/hubs/change-hub.ts';
import { addMember } from '../src/workspace/hubs/members.ts';
import { issueKey } from '../src/workspace/keys/issue-key.ts';
import { createUser } from '../src/workspace/users/create-user.ts';
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
  const token = await tokenOfMember(deps, caller, hubId);
  await deps.store.close();
  await Bun.write(join(dataDir, 'keys.txt'), tokens.join('\n'));
  return { hubId, token };
}

/** Returns the personal access token of a new member of the Hub. */
async function tokenOfMember(deps: AppDeps, caller: Caller, hubId: string): Promise<string> {
  const account = { email: 'ada@example.org', name: 'Ada', password: 'only for measuring' };
  const { id: userId } = await createUser(deps, caller, account);
  await addMember(deps, caller, hubId, userId);
  const token = generateToken(PERSONAL_TOKEN_PREFIX, random);
  const record = {
    id: deps.newId('pat'),
    userId,
    name: 'bench',
    lastFour: token.slice(-4),
    createdAt: clock.now(),
    expiresAt: null,
    lastUsedAt: null,
    lastUsedAddress: null,
  };
  await deps.store.transaction(({ tokens }) => tokens.insert(record, hashToken(token)));
  return token;
}
