import type { IssuedLink } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { newLink } from './new-link.ts';
import { mayTouchOwners } from './user-rights.ts';

type SetupDeps = Pick<Deps, 'store' | 'clock' | 'random' | 'newId' | 'server'>;

/** The link with which the first owner sets the workspace up. It takes the place of a former one. */
export async function createSetupLink(
  deps: SetupDeps,
  caller: Pick<Caller, 'actor' | 'address' | 'user'>,
): Promise<IssuedLink> {
  if (await deps.store.users.hasOwner()) {
    throw new AppError(
      'conflict',
      'The workspace is set up: it has an owner. Owners and admins invite everybody else.',
    );
  }
  if (!mayTouchOwners(caller)) {
    throw new AppError('forbidden', 'The link makes an owner: only the local admin of the server can have it.');
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
