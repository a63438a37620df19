import type { LinkKind, RedeemLinkBody } from '@hub/contract';
import { auditRecord, userActor } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { hashToken } from '../credentials/hash-token.ts';
import { insertHub, newHubRecord } from '../hubs/change-hub.ts';
import { joinHub } from '../hubs/members.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { LinkRecord, UserRecord } from '../storage/users-store.ts';
import { setPassword } from './change-password.ts';
import { requireGoodPassword } from './check-password.ts';
import { insertAccount, newUserRecord } from './create-user.ts';
import { emailAddress } from './email-address.ts';
import { findUser } from './find-user.ts';
import { type Browser, newSession, startSession } from './new-session.ts';
import { showMe } from './show-me.ts';
import type { SignedIn } from './sign-in.ts';

interface Redemption {
  link: LinkRecord;
  body: RedeemLinkBody;
  browser: Browser;
}

/** Uses up a link: creates the first owner or the invited user's account, or sets a new password; then signs in. */
export async function redeemLink(
  deps: Deps,
  browser: Browser,
  link: LinkRecord,
  body: RedeemLinkBody,
): Promise<SignedIn> {
  requireFieldsOf(link.kind, body);
  const redemption = { link, body, browser };
  if (link.kind === 'password_reset') return resetPassword(deps, redemption);
  return link.kind === 'setup' ? setUp(deps, redemption) : acceptInvitation(deps, redemption);
}

async function setUp(deps: Deps, { body, browser }: Redemption): Promise<SignedIn> {
  const email = emailAddress(body.email ?? '');
  const user = newUserRecord(deps, { email, name: body.name ?? '', role: 'owner' });
  const passwordHash = await hashNewPassword(deps, body.password, email, browser.address);
  const caller = { actor: userActor(user), address: browser.address };
  const workspaceName = body.workspaceName?.trim();
  const { token, session } = newSession(deps, user.id, browser);
  await deps.store.transaction(async (tx) => {
    await useUp(tx, body.token, deps.clock.now());
    if (await tx.users.hasOwner()) {
      throw new AppError('conflict', 'The workspace is already set up. Ask an admin for an invitation.');
    }
    await insertAccount(tx, user, passwordHash);
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: 'workspace.set_up',
        targetId: user.id,
        targetName: user.name,
        details: { email, ...(workspaceName === undefined ? {} : { workspaceName }) },
      }),
    );
    if (workspaceName !== undefined) await tx.workspace.update({ name: workspaceName });
    if (body.hubName !== undefined) {
      await insertHub(tx, deps, { hub: newHubRecord(deps, body.hubName), caller, memberId: user.id });
    }
    await startSession(tx, session);
  });
  return { me: await showMe(deps, user), token };
}

async function acceptInvitation(deps: Deps, { link, body, browser }: Redemption): Promise<SignedIn> {
  const email = emailAddress(link.email ?? '');
  const user = newUserRecord(deps, { email, name: body.name ?? '', role: link.role ?? 'member' });
  const passwordHash = await hashNewPassword(deps, body.password, email, browser.address);
  const caller = { actor: userActor(user), address: browser.address };
  const target = { targetId: user.id, targetName: user.name };
  const invited = { invitationId: link.id, invitedBy: link.createdBy };
  const { token, session } = newSession(deps, user.id, browser);
  await deps.store.transaction(async (tx) => {
    await useUp(tx, body.token, deps.clock.now());
    await insertAccount(tx, user, passwordHash);
    for (const hubId of link.hubIds) {
      const hub = await tx.hubs.find(hubId);
      // Hubs that were deleted in the meantime are left out.
      if (hub?.deletedAt !== null) continue;
      const audit = auditRecord(deps, caller, { action: 'member.added', hubId, ...target, details: invited });
      await joinHub(tx, { hubId, user, audit });
    }
    const details = { email, role: user.role, ...invited };
    await tx.audit.insert(auditRecord(deps, caller, { action: 'person.created', ...target, details }));
    await startSession(tx, session);
  });
  return { me: await showMe(deps, user), token };
}

async function resetPassword(deps: Deps, { link, body, browser }: Redemption): Promise<SignedIn> {
  const user: UserRecord = await findUser(deps.store, link.personId);
  const passwordHash = await hashNewPassword(deps, body.password, user.email, browser.address);
  const { token, session } = newSession(deps, user.id, browser);
  const audit = auditRecord(
    deps,
    { actor: userActor(user), address: browser.address },
    {
      action: 'password.reset',
      targetId: user.id,
      targetName: user.name,
      details: { linkId: link.id, linkBy: link.createdBy },
    },
  );
  await deps.store.transaction(async (tx) => {
    await useUp(tx, body.token, deps.clock.now());
    await setPassword(tx, user.id, { passwordHash, session });
    await tx.audit.insert(audit);
  });
  return { me: await showMe(deps, user), token };
}

/** Deletes the link, so that it works only once. */
async function useUp(tx: Repositories, token: string, now: number): Promise<void> {
  const link = await tx.users.findLink(hashToken(token));
  // Hashing the password took a while.
  if (!link || (link.expiresAt !== null && link.expiresAt <= now))
    throw new AppError('not_found', 'This link was just used. Each link works only once.');
  await tx.links.delete(link.id);
}

function hashNewPassword({ passwords }: Deps, password: string, email: string, address: string): Promise<string> {
  requireGoodPassword(password, email);
  return passwords.hash(password, address);
}

type Field = Exclude<keyof RedeemLinkBody, 'token' | 'password'>;

interface Rule {
  noun: string;
  required: readonly Field[];
  optional: readonly Field[];
}

/** The fields besides the token and the password, which every link takes. */
const RULES: Readonly<Record<LinkKind, Rule>> = {
  setup: { noun: 'a setup', required: ['email', 'name'], optional: ['hubName', 'workspaceName'] },
  invitation: { noun: 'accepting an invitation', required: ['name'], optional: [] },
  password_reset: { noun: 'a password reset', required: [], optional: [] },
};

/** Throws `invalid` for a field that this kind of link does not take, or for a missing field that it requires. */
function requireFieldsOf(kind: LinkKind, body: RedeemLinkBody): void {
  const { noun, required, optional } = RULES[kind];
  const takes = ['token', 'password', ...required, ...optional];
  const foreign = Object.keys(body).find((name) => !takes.includes(name));
  if (foreign !== undefined) {
    throw new AppError('invalid', `${foreign} is not a field of ${noun}; its fields are ${takes.join(', ')}`);
  }
  const missing = required.find((name) => body[name] === undefined);
  if (missing !== undefined) throw new AppError('invalid', `${missing} is required in ${noun}`);
}
