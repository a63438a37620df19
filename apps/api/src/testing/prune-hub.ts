import { prune } from '../ops/prune.ts';
import type { TestHub } from './start-test-hub.ts';

/** Prunes as a server does every hour. */
export async function pruneHub({ deps }: Pick<TestHub, 'deps'>): Promise<void> {
  await prune(deps);
}
