import type { ApiKey } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { showTimeAndDistance } from '../../runtime/times.ts';
import { isLive } from './resolve-key.ts';

/** Returns the predecessors of a key that still work, newest first. */
export async function olderLiveKeys(cli: Cli, key: ApiKey): Promise<ApiKey[]> {
  if (key.predecessorId === null) return [];
  const known = new Map((await cli.api.all<ApiKey>('/keys', { hubId: key.hubId })).map((each) => [each.id, each]));
  const older: ApiKey[] = [];
  let next = known.get(key.predecessorId);
  while (next && !older.includes(next)) {
    older.push(next);
    next = next.predecessorId === null ? undefined : known.get(next.predecessorId);
  }
  return older.filter(isLive);
}

/** Warns about older keys that still work: one of them may have leaked, and a replacement does not revoke them. */
export function warnOfOlder(cli: Cli, older: readonly ApiKey[]): void {
  for (const { id, hint, overlapEndsAt } of older) {
    const until = overlapEndsAt === null ? '' : ` until ${showTimeAndDistance(overlapEndsAt, cli.deps.clock.now())}`;
    cli.output.warn(`The older key ${hint} still works${until}. If it may have leaked, revoke it:`);
    cli.output.note(`  hubctl keys revoke ${id}`);
  }
}
