import type { MarkReadBody, ReadMark } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { thereIsNo } from '../printable.ts';
import { readableHub } from './hub-rights.ts';
import { readStanding } from './read-standing.ts';

/**
 * Notes how far a member has read one kind of a Hub, or all. A mark only moves forward, so that two devices of one person, whichever
 * comes late, never make something unread again; and never beyond the newest event, or what comes next would be missed.
 */
export async function markRead(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { hubId, seq, kind }: { hubId: string } & MarkReadBody,
): Promise<ReadMark> {
  const { memberships } = deps.store;
  const hub = await readableHub(deps, caller, hubId);
  const personId = caller.person?.id;
  const mark = personId === undefined ? null : await memberships.markRead({ hubId: hub.id, personId, seq, kind });
  // Removed since we looked.
  if (!mark) throw new Refusal('not_found', thereIsNo('Hub', hub.id));
  return { hubId: hub.id, ...(await readStanding(deps, mark)) };
}
