import type { Invitation } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { type Page, pageOf } from '../paging.ts';
import type { PageRequest } from '../storage/records.ts';
import { invitationView } from './invitation-view.ts';

/** Returns a page of the invitations that can still be accepted, newest first. */
export async function listInvitations(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { limit, before }: PageRequest,
): Promise<Page<Invitation>> {
  const invitations = await store.users.listInvitations({ now: clock.now(), limit: limit + 1, before });
  return pageOf(invitations.map(invitationView), limit);
}
