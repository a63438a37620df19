import type { Actor, LinkKind, RedeemLinkBody } from '@hub/contract';
import { auditRecord, recordAction, userActor } from '../../access/caller.ts';
import { hashToken } from '../../access/credentials.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { LinkRecord } from '../../storage/links.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { insertHub, newHubRecord } from '../hubs/change-hub.ts';
import { joinHub } from '../hubs/members.ts';
import { insertAccount, newUserRecord, setPassword } from './change-user.ts';
import { type PasswordDeps, requireGoodPassword } from './check-password.ts';
import { emailAddress } from './email-address.ts';
import { invitationOf } from './links.ts';
import { noticeUser, PASSWORD_PAGE } from './notices.ts';
import { askUser, countingGuess, requireFactor } from './second-factor.ts';
import { findUser, showMe } from './show-users.ts';
import { type Browser, type NewSession, requirePasswordSignIn, startSession } from './sign-in.ts';

/** Uses up a link: creates the first owner or the invited user's account, or sets a new password; then signs in. */
export async function redeemLink(
  deps: PasswordDeps,
  browser: Browser,
  link: LinkRecord,
  body: RedeemLinkBody,
): Promise<NewSession> {
  const { kind } = link;
  if (kind === 'email_change') throw new AppError('invalid', 'This link only confirms an e-mail address.');
  // The provider is what lets in: an account with a password would stay when the user leaves its groups.
  if (kind === 'invitation') requirePasswordSignIn(deps);
  const user = await accountOf(deps, { ...link, kind }, body);
  const { name: workspaceName } = await deps.store.workspace.find();
  requireGoodPassword(body.password, { workspaceName: body.workspaceName ?? workspaceName, ...user });
  const passwordHash = await deps.passwords.hash(body.password, browser.address);
  const redemption = { link, body, user, passwordHash, caller: { actor: userActor(user), address: browser.address } };
  const redeem = { setup: setUp, invitation: acceptInvitation, password_reset: resetPassword }[kind];
  const start = () =>
    deps.store.transaction(async (tx) => {
      // Before the link, as in the transactions that delete the links of a user.
      await tx.users.lock([user.id]);
      // A mailbox alone must not let in.
      await requireFactor(deps, tx, { user, code: body.code, address: browser.address });
      await useUp(tx, body.token, deps.clock.now());
      await redeem(tx, deps, redemption);
      await askUser(tx, deps, user.id);
      return (await startSession(tx, deps, user.id, browser)).token;
    }, `link ${link.id}`);
  const token =
    body.code === undefined
      ? await start()
      : await countingGuess(deps, { userId: user.id, address: browser.address }, start);
  return { me: await showMe(deps, user), token };
}

type RedeemedKind = Exclude<LinkKind, 'email_change'>;

async function accountOf(
  deps: Deps,
  link: LinkRecord & { kind: RedeemedKind },
  body: RedeemLinkBody,
): Promise<UserRecord> {
  requireKnownFields(link.kind, body);
  if (link.kind === 'password_reset') return findUser(deps.store, link.userId ?? '');
  if (link.kind === 'invitation') {
    const { email, role } = invitationOf(link);
    return newUserRecord(deps, { email, name: required(body, 'name', link.kind), role });
  }
  const [email, name] = [required(body, 'email', link.kind), required(body, 'name', link.kind)];
  return newUserRecord(deps, { email: emailAddress(email), name, role: 'owner' });
}

interface Redemption {
  link: LinkRecord;
  body: RedeemLinkBody;
  user: UserRecord;
  passwordHash: string;
  caller: { actor: Actor; address: string };
}

async function setUp(tx: Repositories, deps: Deps, { body, user, passwordHash, caller }: Redemption): Promise<void> {
  const workspaceName = body.workspaceName?.trim();
  if (await tx.users.hasOwner()) {
    throw new AppError('conflict', 'The workspace is already set up. Ask an admin for an invitation.');
  }
  await insertAccount(tx, user, passwordHash);
  await recordAction(tx, deps, caller, {
    action: 'workspace.set_up',
    target: user,
    details: { email: user.email, ...(workspaceName === undefined ? {} : { workspaceName }) },
  });
  if (workspaceName !== undefined) await tx.workspace.update({ name: workspaceName });
  if (body.hubName !== undefined) {
    await insertHub(tx, deps, { hub: newHubRecord(deps, body.hubName), caller, memberId: user.id });
  }
}

async function acceptInvitation(
  tx: Repositories,
  deps: Deps,
  { link, user, passwordHash, caller }: Redemption,
): Promise<void> {
  const invited = { invitationId: link.id, invitedBy: link.createdBy };
  await insertAccount(tx, user, passwordHash);
  await joinHubs(tx, deps, { link, user, caller, invited });
  const details = { email: user.email, role: user.role, ...invited };
  await recordAction(tx, deps, caller, { action: 'user.created', target: user, details });
}

/** Makes a new user a member of the Hubs of an invitation. */
export async function joinHubs(
  tx: Repositories,
  deps: Deps,
  { link, user, caller, invited }: Pick<Redemption, 'link' | 'user' | 'caller'> & { invited: Record<string, unknown> },
): Promise<void> {
  // In the order in which posts and other transactions lock them.
  for (const hubId of link.hubIds.toSorted()) {
    const hub = await tx.hubs.find(hubId);
    // Hubs that were deleted in the meantime are left out.
    if (hub?.deletedAt !== null) continue;
    const audit = auditRecord(deps, caller, { action: 'member.added', hubId, target: user, details: invited });
    await joinHub(tx, { hubId, user, audit });
  }
}

async function resetPassword(
  tx: Repositories,
  deps: Deps,
  { link, body, user, passwordHash, caller }: Redemption,
): Promise<void> {
  const { revokeTokens = false } = body;
  await setPassword(tx, user.id, { passwordHash, revokeTokens });
  await recordAction(tx, deps, caller, {
    action: 'password.reset',
    target: user,
    details: { linkId: link.id, linkBy: link.createdBy, tokensRevoked: revokeTokens },
  });
  const event = 'Your password was changed with a reset link.';
  await noticeUser(tx, deps, user, { event, address: caller.address, action: PASSWORD_PAGE });
}

/** Deletes the link, so that it works only once. */
export async function useUp(tx: Repositories, token: string, now: number): Promise<void> {
  const link = await tx.users.findLink(hashToken(token));
  // Hashing the password took a while.
  if (!link || (link.expiresAt !== null && link.expiresAt <= now)) {
    throw new AppError('not_found', 'This link was just used. Each link works only once.');
  }
  await tx.links.delete(link.id);
}

type Field = Exclude<keyof RedeemLinkBody, 'token' | 'password'>;

/** The fields besides the token and the password, which every link takes. */
const FIELDS: Readonly<Record<RedeemedKind, { noun: string; takes: readonly Field[] }>> = {
  setup: { noun: 'a setup', takes: ['email', 'name', 'hubName', 'workspaceName'] },
  invitation: { noun: 'accepting an invitation', takes: ['name'] },
  password_reset: { noun: 'a password reset', takes: ['revokeTokens', 'code'] },
};

function requireKnownFields(kind: RedeemedKind, body: RedeemLinkBody): void {
  const takes: string[] = ['token', 'password', ...FIELDS[kind].takes];
  const foreign = Object.keys(body).find((name) => !takes.includes(name));
  if (foreign === undefined) return;
  throw new AppError(
    'invalid',
    `${foreign} is not a field of ${FIELDS[kind].noun}; its fields are ${takes.join(', ')}`,
  );
}

function required(body: RedeemLinkBody, name: 'name' | 'email', kind: RedeemedKind): string {
  const text = body[name];
  if (text === undefined) throw new AppError('invalid', `${name} is required in ${FIELDS[kind].noun}`);
  return text;
}
