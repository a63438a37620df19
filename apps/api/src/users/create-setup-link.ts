import type { IssuedLink } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { newLink } from './new-link.ts';
import { mayTouchOwners } from './user-rights.ts';

type SetupDeps = Pick<Deps, 'store' | 'clock' | 'random' | 'newId' | 'server'>;

/** Creates the link that the first owner uses to set up the workspace. It replaces any earlier one. */
export async function createSetupLink(
  deps: SetupDeps,
  caller: Pick<Caller, 'actor' | 'address' | 'user'>,
): Promise<IssuedLink> {
  if (await deps.store.users.hasOwner()) {
    throw new AppError('conflict', 'The workspace is already set up. Ask an owner or admin for an invitation.');
  }
  if (!mayTouchOwners(caller)) {
    throw new AppError('forbidden', 'Only the local admin of the server can create a setup link.');
  }
  const { url, link, tokenHash } = newLink(deps, caller, 'setup');
  const audit = auditRecord(deps, caller, {
    action: 'link.created',
    targetId: link.id,
    targetName: null,
    details: { kind: link.kind },
  });
  await deps.store.users.createLink({ link, tokenHash, mayTouchOwners: true, audit });
  return { link: url, expiresAt: null };
}
