import type { ChangeEmailBody, EmailChange } from '@hub/contract';
import { changeUsersAs, type Performer, recordAction, type UserCaller, userActor } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { LinkRecord } from '../../storage/links.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { requireNoAccount } from './change-user.ts';
import { emailAddress } from './email-address.ts';
import { countRequest, type ResetDeps } from './forgotten-password.ts';
import { issueLink } from './links.ts';
import { noticeUser, PASSWORD_PAGE } from './notices.ts';
import { useUp } from './redeem-link.ts';
import { findUser } from './show-users.ts';

/**
 * Changes the caller's e-mail address; with mail, once they have opened a link that is sent to it. Without mail, nobody
 * confirms that it is theirs, so with a provider, which links accounts by address, it cannot be changed.
 */
export async function changeEmail(deps: ResetDeps, caller: UserCaller, input: ChangeEmailBody): Promise<EmailChange> {
  const email = emailAddress(input.email);
  const { mail, provider } = deps;
  if (!mail && provider) {
    const reason = `it sends no mail to confirm it, and ${provider.settings.oidcName} knows accounts by their address`;
    throw new AppError('conflict', `This server cannot change your e-mail address: ${reason}.`);
  }
  // Otherwise, a member could send mails to anyone.
  if (mail) await countRequest(deps, { email, by: caller.user.id });
  return changeUsersAs(deps, caller, [], async (tx, current) => {
    const { user } = current;
    await tx.links.deleteMatching({ kind: 'email_change', userId: user.id });
    if (email === user.email) return { email, pending: null };
    await requireNoAccount(tx, email);
    if (!mail) {
      await setEmail(tx, deps, { user, email, caller: current });
      return { email, pending: null };
    }
    const { link } = await issueLink(tx, deps, current, { kind: 'email_change', email, userId: user.id });
    const content = {
      subject: 'Confirm your e-mail address',
      paragraphs: [
        `Hello ${user.name}, open the link to sign in with this address from now on. It can be used once, within 24 hours.`,
        'If you do not expect this mail, ignore it.',
      ],
      action: { label: 'Confirm the address' },
    };
    await mail.add(tx, { recipient: email, linkKind: 'email_change', linkId: link.id, content });
    // A thief of the session could otherwise wait until nobody looks. A new password ends the link.
    const event = `Your e-mail address is about to change to ${email}.`;
    await noticeUser(tx, deps, user, { event, address: caller.address, action: PASSWORD_PAGE });
    return { email: user.email, pending: email };
  });
}

/** Uses up the link in the mail to a new address, and changes the address. It signs nobody in. */
export async function confirmEmail(
  deps: Deps,
  address: string,
  { kind, email, userId }: LinkRecord,
  token: string,
): Promise<EmailChange> {
  if (kind !== 'email_change' || email === null || userId === null) {
    throw new AppError('invalid', 'This link does not confirm an e-mail address.');
  }
  return deps.store.transaction(async (tx) => {
    await tx.users.lock([userId]);
    await useUp(tx, token, deps.clock.now());
    const user = await findUser(tx, userId);
    await requireNoAccount(tx, email);
    await setEmail(tx, deps, { user, email, caller: { actor: userActor(user), address } });
    return { email, pending: null };
  }, `email ${userId}`);
}

async function setEmail(
  tx: Repositories,
  deps: Deps,
  { user, email, caller }: { user: UserRecord; email: string; caller: Performer },
): Promise<void> {
  await tx.users.update(user.id, { email });
  // Those who read the mail of the old address must not get in with a link that was sent there.
  await tx.links.deleteMatching({ kind: 'password_reset', userId: user.id });
  await tx.links.deleteMatching({ kind: 'invitation', email });
  const details = { from: { email: user.email }, to: { email } };
  await recordAction(tx, deps, caller, { action: 'user.changed', target: user, details });
  const event = `Your e-mail address was changed to ${email}.`;
  const action = { label: 'Your account', path: '/settings/profile' };
  await noticeUser(tx, deps, user, { event, address: caller.address, action });
}
