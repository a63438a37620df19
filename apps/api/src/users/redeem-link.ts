import type { RedeemLinkBody } from '@hub/contract';
import { auditRecord, userActor } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { newHubRecord } from '../hubs/create-hub.ts';
import { hashToken } from '../keys/hash-token.ts';
import type { LinkRecord, UserRecord } from '../storage/users-store.ts';
import { newUserRecord } from './create-user.ts';
import { emailAddress } from './email-address.ts';
import { findUser } from './find-user.ts';
import { type Browser, newSession } from './new-session.ts';
import { requireGoodPassword } from './password-rules.ts';
import { requireFieldsOf } from './redemption-fields.ts';
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
  const hub = body.hubName === undefined ? undefined : newHubRecord(deps, body.hubName);
  const workspaceName = body.workspaceName?.trim();
  const audit = auditRecord(deps, caller, {
    action: 'workspace.set_up',
    targetId: user.id,
    targetName: user.name,
    details: { email, ...(workspaceName === undefined ? {} : { workspaceName }) },
  });
  const { token, session } = newSession(deps, user.id, browser);
  await deps.store.users.redeemForUser({
    linkTokenHash: hashToken(body.token),
    newUser: { user, passwordHash, hubs: [], audit },
    session,
    hub: hub && { hub, audit: hubCreated(deps, caller, hub) },
    workspaceName,
  });
  return { me: await showMe(deps, user), token };
}

function hubCreated(deps: Deps, caller: Parameters<typeof auditRecord>[1], { id, name }: { id: string; name: string }) {
  return auditRecord(deps, caller, { action: 'hub.created', hubId: id, targetId: id, targetName: name });
}

async function acceptInvitation(deps: Deps, { link, body, browser }: Redemption): Promise<SignedIn> {
  const email = emailAddress(link.email ?? '');
  const user = newUserRecord(deps, { email, name: body.name ?? '', role: link.role ?? 'member' });
  const passwordHash = await hashNewPassword(deps, body.password, email, browser.address);
  const caller = { actor: userActor(user), address: browser.address };
  const target = { targetId: user.id, targetName: user.name };
  const audit = auditRecord(deps, caller, {
    action: 'person.created',
    ...target,
    details: { email, role: user.role, invitationId: link.id, invitedBy: link.createdBy },
  });
  const hubs = link.hubIds.map((hubId) => ({
    hubId,
    audit: auditRecord(deps, caller, {
      action: 'member.added',
      hubId,
      ...target,
      details: { invitationId: link.id, invitedBy: link.createdBy },
    }),
  }));
  const { token, session } = newSession(deps, user.id, browser);
  await deps.store.users.redeemForUser({
    linkTokenHash: hashToken(body.token),
    newUser: { user, passwordHash, hubs, audit },
    session,
  });
  return { me: await showMe(deps, user), token };
}

async function resetPassword(deps: Deps, { link, body, browser }: Redemption): Promise<SignedIn> {
  const user: UserRecord = await findUser(deps, link.personId);
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
  await deps.store.users.redeemForPassword({
    linkTokenHash: hashToken(body.token),
    personId: user.id,
    passwordHash,
    session,
    audit,
  });
  return { me: await showMe(deps, user), token };
}

function hashNewPassword({ passwords }: Deps, password: string, email: string, address: string): Promise<string> {
  requireGoodPassword(password, email);
  return passwords.hash(password, address);
}
