import {
  type CreateInvitationBody,
  hasTokenFormat,
  type Invitation,
  type IssuedInvitation,
  type IssuedLink,
  LINK_PATHS,
  LINK_PREFIX,
  type LinkInfo,
  type LinkKind,
} from '@hub/contract';
import { type Caller, changeAs, recordAction } from '../../access/caller.ts';
import { generateToken, hashToken } from '../../access/credentials.ts';
import type { CredentialDeps, Deps } from '../../access/deps.ts';
import { mayTouchOwners, requireAdmin, requireMayGrantRole } from '../../access/user-rights.ts';
import { AppError, notFound, printable } from '../../platform/errors.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging.ts';
import { DAY_MS, isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { LinkRecord } from '../../storage/links.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { changeOther, requireNoAccount } from './change-user.ts';
import { emailAddress } from './email-address.ts';

/** `null` for a link that is valid until it is used or the workspace has an owner. */
const LIFETIME_MS: Readonly<Record<LinkKind, number | null>> = {
  setup: null,
  invitation: 7 * DAY_MS,
  password_reset: DAY_MS,
  email_change: DAY_MS,
};

type LinkSubject = Partial<Pick<LinkRecord, 'email' | 'role' | 'hubIds' | 'userId'>> & { kind: LinkKind };

/** Returns the address of a link. Browsers never send the part after `#`, so that it gets into no log. */
export function linkUrl({ server }: Pick<Deps, 'server'>, kind: LinkKind, token: string): string {
  return `${server.baseUrl()}${LINK_PATHS[kind]}#${token}`;
}

/** Writes a link that works once, and replaces an earlier one. */
export async function issueLink(
  tx: Repositories,
  deps: Deps,
  { actor }: Pick<Caller, 'actor'>,
  { kind, email = null, role = null, hubIds = [], userId = null }: LinkSubject,
): Promise<{ url: string; link: LinkRecord }> {
  const { clock, random, newId } = deps;
  const token = generateToken(LINK_PREFIX, random);
  const now = clock.now();
  const lifetimeMs = LIFETIME_MS[kind];
  const expiresAt = lifetimeMs === null ? null : now + lifetimeMs;
  const link = { id: newId('lnk'), kind, email, role, hubIds, userId, createdAt: now, createdBy: actor, expiresAt };
  await tx.links.replace(link, hashToken(token));
  return { url: linkUrl(deps, kind, token), link };
}

/** Returns the link for this token. The `not_found` error does not reveal if there was one; failures are slowed. */
export async function findLink(
  { store, clock, log, failedAuthentication }: CredentialDeps,
  token: string,
  address: string,
): Promise<LinkRecord> {
  const link = hasTokenFormat(LINK_PREFIX, token) ? await store.users.findLink(hashToken(token)) : null;
  if (link && (link.expiresAt === null || clock.now() < link.expiresAt)) return link;
  log.warn({ address }, 'Invalid link used');
  await failedAuthentication.slow(address);
  throw new AppError(
    'not_found',
    'This link is invalid: it is incomplete, has expired, or was already used or replaced. Copy the whole link, or ask for a new one.',
  );
}

/** Describes what a link is for, without using it up. */
export async function inspectLink(deps: Deps, { kind, email, userId, expiresAt }: LinkRecord): Promise<LinkInfo> {
  const [{ name }, user] = await Promise.all([
    deps.store.workspace.find(),
    userId === null ? null : deps.store.users.find(userId),
  ]);
  return { kind, email: email ?? user?.email ?? null, workspaceName: name, expiresAt: isoTimeOrNull(expiresAt) };
}

/** Creates the link for the first owner, in place of earlier ones: only by the local admin and the server itself. */
export function createSetupLink(
  deps: Deps,
  caller: Pick<Caller, 'actor' | 'address' | 'user'>,
  { keepsEarlier = false } = {},
): Promise<IssuedLink> {
  return deps.store.transaction(async (tx) => {
    if (keepsEarlier && (await tx.links.findSetup()))
      throw new AppError('conflict', 'Another node has already created a setup link.');
    if (await tx.users.hasOwner()) {
      throw new AppError('conflict', 'The workspace is already set up. Ask an owner or admin for an invitation.');
    }
    if (!mayTouchOwners(caller)) {
      throw new AppError('forbidden', 'Only the local admin of the server can create a setup link.');
    }
    const { url, link } = await issueLink(tx, deps, caller, { kind: 'setup' });
    await recordAction(tx, deps, caller, {
      action: 'link.created',
      target: { id: link.id, name: null },
      details: { kind: link.kind },
    });
    return { link: url, expiresAt: null };
  });
}

/** Creates a link for another user's new password; not for oneself, since a stolen session would then be enough. */
export function createResetLink(deps: Deps, caller: Caller, userId: string): Promise<IssuedLink> {
  const own = new AppError(
    'conflict',
    'You cannot create a reset link for your own account. Change your password, or ask another admin or owner.',
  );
  return changeOther(deps, caller, userId, own, async (tx, user, current) => {
    if (user.disabledAt !== null) {
      throw new AppError('conflict', `The account of ${user.name} is disabled. Enable it first.`);
    }
    const { url, link } = await issueLink(tx, deps, current, { kind: 'password_reset', userId: user.id });
    await recordAction(tx, deps, current, {
      action: 'password.reset_link',
      target: user,
      details: { linkId: link.id },
    });
    return { link: url, expiresAt: isoTimeOrNull(link.expiresAt) };
  });
}

/** Creates a link with which the invited user creates an account. It replaces an open one for the same address. */
export function inviteUser(deps: Deps, caller: Caller, input: CreateInvitationBody): Promise<IssuedInvitation> {
  return changeAs(deps, caller, async (tx, current) => {
    requireAdmin(current);
    requireMayGrantRole(current, input.role);
    const hubIds = [...new Set(input.hubIds ?? [])];
    // In the order in which posts and other transactions lock them.
    const inOrder = [...hubIds.entries()].sort(([, one], [, other]) => (one < other ? -1 : 1));
    for (const [index, hubId] of inOrder) await requireHub(tx, hubId, `hubIds[${index}]`);
    const email = emailAddress(input.email);
    const role = input.role ?? 'member';
    await requireNoAccount(tx, email);
    const { url, link } = await issueLink(tx, deps, current, { kind: 'invitation', email, role, hubIds });
    await recordAction(tx, deps, current, {
      action: 'user.invited',
      target: { id: link.id, name: email },
      details: { role, hubIds },
    });
    const { name: workspaceName } = await tx.workspace.find();
    await deps.mail?.add(tx, {
      recipient: email,
      linkKind: 'invitation',
      linkId: link.id,
      content: {
        subject: `Join ${workspaceName}`,
        paragraphs: [
          `${current.user?.name ?? 'An admin'} has invited you to ${workspaceName}. The link can be used once, within 7 days.`,
          'Forward it to nobody: it creates your account.',
        ],
        action: { label: `Join ${workspaceName}` },
      },
    });
    return { ...invitationView(link), link: url, isMailed: deps.mail !== null };
  });
}

async function requireHub({ hubs }: Pick<Repositories, 'hubs'>, hubId: string, field: string): Promise<void> {
  const hub = await hubs.find(hubId);
  if (hub && hub.deletedAt === null) return;
  throw new AppError('not_found', `${field}: there is no Hub ${printable(hubId, 64)}`);
}

/** Returns a page of the invitations that can still be accepted, newest first. */
export function listInvitations({ store, clock }: Deps, page: PageRequest): Promise<Page<Invitation>> {
  return readPage(page, (rows) => store.users.listInvitations({ ...rows, now: clock.now() }), invitationView);
}

/** Withdraws an invitation. Its link is invalid once the response is sent. */
export function withdrawInvitation(deps: Deps, caller: Caller, invitationId: string): Promise<Invitation> {
  return changeAs(deps, caller, async (tx, current) => {
    requireAdmin(current);
    const link = await tx.links.find(invitationId);
    const isOpen = link?.kind === 'invitation' && link.expiresAt !== null && deps.clock.now() < link.expiresAt;
    if (!isOpen) throw notFound('invitation', invitationId);
    await tx.links.delete(link.id);
    await recordAction(tx, deps, current, { action: 'invitation.withdrawn', target: { id: link.id, name: null } });
    return invitationView(link);
  });
}

function invitationView(link: LinkRecord): Invitation {
  const { id, hubIds, createdAt, createdBy } = link;
  const { email, role, expiresAt } = invitationOf(link);
  return { id, email, role, hubIds, createdAt: isoTime(createdAt), createdBy, expiresAt: isoTime(expiresAt) };
}

/** Returns the fields that every invitation has. */
export function invitationOf({ id, email, role, expiresAt }: LinkRecord) {
  if (email === null || role === null || expiresAt === null) throw new Error(`${id} is not an invitation`);
  return { email, role, expiresAt };
}
