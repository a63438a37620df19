import type { MarkReadBody, ReadMark } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { readableHub } from './hub-rights.ts';
import { readState } from './read-state.ts';

/**
 * Sets how far a member has read one kind of item in a Hub, or all kinds. A marker only moves forward, so that a late
 * request from another device never makes items unread again. It never moves past the newest event, or the next event
 * would count as read.
 */
export async function markRead(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { hubId, seq, kind }: { hubId: string } & MarkReadBody,
): Promise<ReadMark> {
  const { memberships } = deps.store;
  const hub = await readableHub(deps.store, caller, hubId);
  const personId = caller.user?.id;
  const mark = personId === undefined ? null : await memberships.markRead({ hubId: hub.id, personId, seq, kind });
  // The member was removed in the meantime.
  if (!mark) throw new AppError('not_found', notFound('Hub', hub.id));
  return { hubId: hub.id, ...(await readState(deps, mark)) };
}
