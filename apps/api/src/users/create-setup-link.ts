import type { IssuedLink } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { mayTouchOwners } from '../context/user-rights.ts';
import { AppError } from '../core/errors.ts';
import { newLink } from './new-link.ts';

type SetupDeps = Pick<Deps, 'store' | 'clock' | 'random' | 'newId' | 'server'>;

/**
 * Creates the link that the first owner uses to set up the workspace. It replaces any earlier one. As long as there is
 * no owner, only the local admin and the server itself may do this, whose rights never change.
 */
export function createSetupLink(
  deps: SetupDeps,
  caller: Pick<Caller, 'actor' | 'address' | 'user'>,
): Promise<IssuedLink> {
  return deps.store.transaction(async (tx) => {
    if (await tx.users.hasOwner()) {
      throw new AppError('conflict', 'The workspace is already set up. Ask an owner or admin for an invitation.');
    }
    if (!mayTouchOwners(caller)) {
      throw new AppError('forbidden', 'Only the local admin of the server can create a setup link.');
    }
    await tx.links.deleteMatching({ kind: 'setup' });
    const { url, link, tokenHash } = newLink(deps, caller, 'setup');
    await tx.links.insert(link, tokenHash);
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: 'link.created',
        targetId: link.id,
        targetName: null,
        details: { kind: link.kind },
      }),
    );
    return { link: url, expiresAt: null };
  });
}
