import type { Deps, ServerFacts } from './deps.ts';
import { createIds, type NewId } from './ids.ts';
import { FailedAuthentication } from './keys/failed-authentication.ts';
import { KeyLimiter } from './keys/key-limiter.ts';
import { KeyUsage } from './keys/key-usage.ts';
import { restoreBlocks } from './keys/restore-blocks.ts';
import type { Clock, Log, Random } from './ports.ts';
import type { Store } from './store/store.ts';

interface Adapters {
  clock: Clock;
  random: Random;
  log: Log;
  openStore: (newId: NewId) => Store;
  server: ServerFacts;
}

/** Puts together what the use-cases work with, and takes up what a former process left: the blocks of keys. */
export async function createDeps({ openStore, ...adapters }: Adapters): Promise<Deps> {
  const { clock, random } = adapters;
  const newId = createIds(clock, random);
  const store = openStore(newId);
  const limiter = new KeyLimiter(clock);
  await restoreBlocks({ store, clock, limiter });
  return {
    ...adapters,
    newId,
    store,
    limiter,
    usage: new KeyUsage(clock),
    failedAuthentication: new FailedAuthentication(clock),
  };
}
