import type { Actor, LinkKind, RedeemLinkBody } from '@hub/contract';
import { auditRecord, recordAction, userActor } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { hashToken } from '../../access/tokens.ts';
import { AppError } from '../../platform/errors.ts';
import type { LinkRecord } from '../../storage/links.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { insertHub, newHubRecord } from '../hubs/change-hub.ts';
import { joinHub } from '../hubs/members.ts';
import { setPassword } from './change-user.ts';
import { type PasswordDeps, requireGoodPassword } from './check-password.ts';
import { insertAccount, newUserRecord } from './create-user.ts';
import { emailAddress } from './email-address.ts';
import { invitationOf } from './links.ts';
import { findUser, showMe } from './show-users.ts';
import { type Browser, type NewSession, startSession } from './sign-in.ts';

/** Uses up a link: creates the first owner or the invited user's account, or sets a new password; then signs in. */
export async function redeemLink(
  deps: PasswordDeps,
  browser: Browser,
  link: LinkRecord,
  body: RedeemLinkBody,
): Promise<NewSession> {
  const user = await accountOf(deps, link, body);
  const { name: workspaceName } = await deps.store.workspace.find();
  requireGoodPassword(body.password, { workspaceName: body.workspaceName ?? workspaceName, ...user });
  const passwordHash = await deps.passwords.hash(body.password, browser.address);
  const redemption = { link, body, user, passwordHash, caller: { actor: userActor(user), address: browser.address } };
  const redeem = { setup: setUp, invitation: acceptInvitation, password_reset: resetPassword }[link.kind];
  const token = await deps.store.transaction(async (tx) => {
    // Before the link, as in the transactions that delete the links of a user.
    await tx.users.lock([user.id]);
    await useUp(tx, body.token, deps.clock.now());
    await redeem(tx, deps, redemption);
    return (await startSession(tx, deps, user.id, browser)).token;
  }, `link ${link.id}`);
  return { me: await showMe(deps, user), token };
}

async function accountOf(deps: Deps, link: LinkRecord, body: RedeemLinkBody): Promise<UserRecord> {
  requireKnownFields(link.kind, body);
  if (link.kind === 'password_reset') return findUser(deps.store, link.userId);
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
  // In the order in which posts and other transactions lock them.
  for (const hubId of link.hubIds.toSorted()) {
    const hub = await tx.hubs.find(hubId);
    // Hubs that were deleted in the meantime are left out.
    if (hub?.deletedAt !== null) continue;
    const audit = auditRecord(deps, caller, { action: 'member.added', hubId, target: user, details: invited });
    await joinHub(tx, { hubId, user, audit });
  }
  const details = { email: user.email, role: user.role, ...invited };
  await recordAction(tx, deps, caller, { action: 'user.created', target: user, details });
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
}

/** Deletes the link, so that it works only once. */
async function useUp(tx: Repositories, token: string, now: number): Promise<void> {
  const link = await tx.users.findLink(hashToken(token));
  // Hashing the password took a while.
  if (!link || (link.expiresAt !== null && link.expiresAt <= now)) {
    throw new AppError('not_found', 'This link was just used. Each link works only once.');
  }
  await tx.links.delete(link.id);
}

type Field = Exclude<keyof RedeemLinkBody, 'token' | 'password'>;

/** The fields besides the token and the password, which every link takes. */
const FIELDS: Readonly<Record<LinkKind, { noun: string; takes: readonly Field[] }>> = {
  setup: { noun: 'a setup', takes: ['email', 'name', 'hubName', 'workspaceName'] },
  invitation: { noun: 'accepting an invitation', takes: ['name'] },
  password_reset: { noun: 'a password reset', takes: ['revokeTokens'] },
};

function requireKnownFields(kind: LinkKind, body: RedeemLinkBody): void {
  const takes: string[] = ['token', 'password', ...FIELDS[kind].takes];
  const foreign = Object.keys(body).find((name) => !takes.includes(name));
  if (foreign === undefined) return;
  throw new AppError(
    'invalid',
    `${foreign} is not a field of ${FIELDS[kind].noun}; its fields are ${takes.join(', ')}`,
  );
}

function required(body: RedeemLinkBody, name: 'name' | 'email', kind: LinkKind): string {
  const text = body[name];
  if (text === undefined) throw new AppError('invalid', `${name} is required in ${FIELDS[kind].noun}`);
  return text;
}
