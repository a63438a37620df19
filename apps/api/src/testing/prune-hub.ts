import { prune } from '../ops/prune.ts';
import type { TestHub } from './start-test-hub.ts';

/** What a server does by itself every hour. */
export async function pruneHub({ deps }: Pick<TestHub, 'deps'>): Promise<void> {
  await prune(deps);
}
