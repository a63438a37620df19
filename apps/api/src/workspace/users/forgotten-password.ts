import { LINK_PREFIX, type RequestPasswordResetBody } from '@hub/contract';
import { recordAction } from '../../access/caller.ts';
import { generateToken, hashToken } from '../../access/credentials.ts';
import type { Deps } from '../../access/deps.ts';
import { clientNetwork } from '../../access/failed-authentication.ts';
import { AppError } from '../../platform/errors.ts';
import { countWithinHour, type GuessCounts } from '../../platform/guess-counts.ts';
import { SERVER } from '../../storage/audit.ts';
import type { MailRecord } from '../../storage/mails.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { PasswordDeps } from './check-password.ts';
import { emailAddress } from './email-address.ts';
import { issueLink, linkUrl } from './links.ts';
import { requirePasswordSignIn } from './sign-in.ts';

export interface ResetDeps extends PasswordDeps {
  /** Requested links, counted apart from password attempts. */
  resetCounts: GuessCounts;
}

/** How many links by mail can be requested within an hour: to one e-mail address, and by one network or user. */
const MAX_PER_ADDRESS = 5;
const MAX_PER_SENDER = 20;

/**
 * Mails a reset link to this address, if it belongs to an account with a password. The account is looked up only when the
 * mail is sent, so neither the response nor its time tells whether there is one.
 */
export async function requestPasswordReset(
  deps: ResetDeps,
  address: string,
  input: RequestPasswordResetBody,
): Promise<{ email: string }> {
  requirePasswordSignIn(deps);
  const { mail, store } = deps;
  if (!mail) throw new AppError('conflict', 'This server sends no mail. Ask an admin for a reset link.');
  const email = emailAddress(input.email);
  await countRequest(deps, { email, by: clientNetwork(address) });
  const content = {
    subject: 'Choose a new password',
    paragraphs: [
      `A new password for this address was requested from ${address}. The link can be used once, within 24 hours.`,
      'If it was not you, ignore this mail: your password stays as it is.',
    ],
    action: { label: 'Choose a new password' },
  };
  await store.transaction((tx) => mail.add(tx, { recipient: email, linkKind: 'password_reset', content }));
  return { email };
}

/** Throws `too_many_requests` if too many links to this address, or by this network or user, were requested. */
export async function countRequest(
  { resetCounts: counts }: Pick<ResetDeps, 'resetCounts'>,
  { email, by }: { email: string; by: string },
): Promise<void> {
  const account = `reset ${Buffer.from(hashToken(email)).toString('hex')}`;
  const names = { pair: `reset ${by} ${account}`, address: `reset ${by}`, account };
  const max = { account: MAX_PER_ADDRESS, address: MAX_PER_SENDER };
  await countWithinHour(counts, names, max, 'Too many links were requested.');
}

/** Makes the link of a mail that is being sent; `null` if the account, invitation or request is gone. */
export async function linkForMail(deps: Deps, tx: Repositories, mail: MailRecord): Promise<string | null> {
  if (mail.linkKind === 'password_reset') return resetLink(deps, tx, mail.recipient);
  const link = mail.linkId === null ? null : await tx.links.find(mail.linkId);
  if (!link || (link.expiresAt !== null && link.expiresAt <= deps.clock.now())) return null;
  const token = generateToken(LINK_PREFIX, deps.random);
  await tx.links.setMailed(link.id, hashToken(token));
  return linkUrl(deps, link.kind, token);
}

async function resetLink(deps: Deps, tx: Repositories, email: string): Promise<string | null> {
  const account = await tx.users.findForSignIn(email);
  // Users of a provider have no password, and one would outlast their account there.
  if (!account || account.user.disabledAt !== null || account.passwordHash === '') return null;
  const { user } = account;
  const { url, link } = await issueLink(tx, deps, { actor: SERVER }, { kind: 'password_reset', userId: user.id });
  const caller = { actor: SERVER, address: null };
  const details = { linkId: link.id, isMailed: true };
  await recordAction(tx, deps, caller, { action: 'password.reset_link', target: user, details });
  return url;
}
