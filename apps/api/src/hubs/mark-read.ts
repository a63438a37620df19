import type { MarkReadBody, ReadMark } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { readableHub } from './hub-rights.ts';
import { readStanding } from './read-state.ts';

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
  const personId = caller.user?.id;
  const mark = personId === undefined ? null : await memberships.markRead({ hubId: hub.id, personId, seq, kind });
  // Removed since we looked.
  if (!mark) throw new AppError('not_found', notFound('Hub', hub.id));
  return { hubId: hub.id, ...(await readStanding(deps, mark)) };
}
