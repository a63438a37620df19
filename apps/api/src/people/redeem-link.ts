import type { RedeemLinkBody } from '@hub/contract';
import { auditRecord, personActor } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { newHubRecord } from '../hubs/new-hub-record.ts';
import { hashToken } from '../keys/hash-token.ts';
import type { LinkRecord, PersonRecord } from '../store/people-store.ts';
import { newPersonRecord } from './create-person.ts';
import { emailAddress } from './email-address.ts';
import { findPerson } from './find-person.ts';
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

/** Uses a link up: the owner of a new workspace, an invited person's account, or a new password; signed in at once. */
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
  const person = newPersonRecord(deps, { email, name: body.name ?? '', role: 'owner' });
  const passwordHash = await hashNewPassword(deps, body.password, email, browser.address);
  const caller = { actor: personActor(person), address: browser.address };
  const hub = body.hubName === undefined ? undefined : newHubRecord(deps, body.hubName);
  const workspaceName = body.workspaceName?.trim();
  const audit = auditRecord(deps, caller, {
    action: 'workspace.set_up',
    targetId: person.id,
    targetName: person.name,
    details: { email, ...(workspaceName === undefined ? {} : { workspaceName }) },
  });
  const { token, session } = newSession(deps, person.id, browser);
  await deps.store.people.redeemForPerson({
    linkTokenHash: hashToken(body.token),
    newPerson: { person, passwordHash, hubs: [], audit },
    session,
    hub: hub && { hub, audit: hubCreated(deps, caller, hub) },
    workspaceName,
  });
  return { me: await showMe(deps, person), token };
}

function hubCreated(deps: Deps, caller: Parameters<typeof auditRecord>[1], { id, name }: { id: string; name: string }) {
  return auditRecord(deps, caller, { action: 'hub.created', hubId: id, targetId: id, targetName: name });
}

async function acceptInvitation(deps: Deps, { link, body, browser }: Redemption): Promise<SignedIn> {
  const email = emailAddress(link.email ?? '');
  const person = newPersonRecord(deps, { email, name: body.name ?? '', role: link.role ?? 'member' });
  const passwordHash = await hashNewPassword(deps, body.password, email, browser.address);
  const caller = { actor: personActor(person), address: browser.address };
  const target = { targetId: person.id, targetName: person.name };
  const audit = auditRecord(deps, caller, {
    action: 'person.created',
    ...target,
    details: { email, role: person.role, invitationId: link.id, invitedBy: link.createdBy },
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
  const { token, session } = newSession(deps, person.id, browser);
  await deps.store.people.redeemForPerson({
    linkTokenHash: hashToken(body.token),
    newPerson: { person, passwordHash, hubs, audit },
    session,
  });
  return { me: await showMe(deps, person), token };
}

async function resetPassword(deps: Deps, { link, body, browser }: Redemption): Promise<SignedIn> {
  const person: PersonRecord = await findPerson(deps, link.personId);
  const passwordHash = await hashNewPassword(deps, body.password, person.email, browser.address);
  const { token, session } = newSession(deps, person.id, browser);
  const audit = auditRecord(
    deps,
    { actor: personActor(person), address: browser.address },
    {
      action: 'password.reset',
      targetId: person.id,
      targetName: person.name,
      details: { linkId: link.id, linkBy: link.createdBy },
    },
  );
  await deps.store.people.redeemForPassword({
    linkTokenHash: hashToken(body.token),
    personId: person.id,
    passwordHash,
    session,
    audit,
  });
  return { me: await showMe(deps, person), token };
}

function hashNewPassword({ passwords }: Deps, password: string, email: string, address: string): Promise<string> {
  requireGoodPassword(password, email);
  return passwords.hash(password, address);
}
