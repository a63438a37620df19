/**
 * Fills a data folder through the store itself. One Hub holds the rows; the keys are
 * spread over 20 Hubs. Writes the keys, one per line, to DIR/keys.txt. Everything is `ageMs` old.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localCaller } from '../src/access/caller.ts';
import { createDeps } from '../src/create-deps.ts';
import { argon2id, systemClock, systemRandom } from '../src/platform/adapters/system.ts';
import { createMessage } from '../src/programs/public-api.ts';
import { openStore } from '../src/storage/sqlite/open-store.ts';
import { createHub } from '../src/workspace/hubs/change-hub.ts';
import { issueKey } from '../src/workspace/keys/change-key.ts';

const HUBS = 20;
const SCOPES = ['messages:create', 'notes:create', 'todos:create'] as const;
const caller = localCaller('local');
const silent = (): void => {};

export async function seed(dataDir: string, keys: number, rows: number, ageMs = 0): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const past = { ...systemClock, now: () => systemClock.now() - ageMs };
  const deps = await createDeps({
    clock: past,
    random: systemRandom,
    passwords: argon2id,
    log: { debug: silent, info: silent, warn: silent, error: console.error },
    openStore: (newId) => openStore({ dataDir, clock: past, newId }),
    // The server that opens the folder builds the index.
    startSearch: () => ({ find: () => Promise.reject(new Error('There is no search while a folder is filled')) }),
    push: null,
    web: null,
    server: {
      ...{ version: 'bench', baseUrl: () => '', plainHttpHost: null, certificate: () => null },
      ...{ dataDir, startedAt: 0, startedAtMonotonic: 0 },
    },
  });
  const hubs = await Promise.all(
    Array.from({ length: Math.min(HUBS, keys) }, (_, n) => createHub(deps, caller, { name: `Hub ${n}` })),
  );
  const hubOf = (n: number) => (hubs[n % hubs.length] as { id: string }).id;
  const tokens: string[] = [];
  for (let done = 0; done < keys; done += 200) {
    const batch = Array.from({ length: Math.min(200, keys - done) }, (_, n) =>
      issueKey(deps, caller, { hubId: hubOf(done + n), name: `key ${done + n}`, scopes: [...SCOPES] }),
    );
    tokens.push(...(await Promise.all(batch)).map((issued) => issued.key));
  }
  const first = (await deps.store.keys.list({ limit: 1, hubId: hubOf(0) }))[0];
  for (let done = 0; first && done < rows; done += 250) {
    const origin = { key: { ...first, hubDeletedAt: null }, address: 'seed', requestId: 'seed' };
    const count = Math.min(250, rows - done);
    await Promise.all(
      Array.from({ length: count }, (_, n) => createMessage(deps, origin, { text: `Seed row ${done + n}` })),
    );
  }
  await deps.store.close();
  writeFileSync(join(dataDir, 'keys.txt'), tokens.join('\n'));
}
