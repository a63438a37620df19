import { hasTokenFormat, type IssuedLink, LINK_PREFIX, type LinkInfo, type LinkKind } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { mayTouchOwners, requireAdmin, requireMayTouch } from '../context/user-rights.ts';
import { AppError } from '../core/errors.ts';
import { isoTimeOrNull } from '../core/time.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { generateToken } from '../credentials/generate-token.ts';
import { hashToken } from '../credentials/hash-token.ts';
import type { LinkRecord } from '../storage/users-store.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findUser } from './find-user.ts';

const PAGES: Readonly<Record<LinkKind, string>> = {
  setup: '/setup',
  invitation: '/join',
  password_reset: '/reset',
};

/** `null` for a link that is valid until it is used or the workspace has an owner. */
const LIFETIME_MS: Readonly<Record<LinkKind, number | null>> = {
  setup: null,
  invitation: 7 * 24 * 60 * 60 * 1000,
  password_reset: 24 * 60 * 60 * 1000,
};

type LinkSubject = Partial<Pick<LinkRecord, 'email' | 'role' | 'hubIds' | 'personId'>>;

/** Creates a link that works once. Browsers never send the part after `#`, so the secret there appears in no log. */
export function newLink(
  { clock, random, newId, server }: Pick<Deps, 'clock' | 'random' | 'newId' | 'server'>,
  caller: Pick<Caller, 'actor'>,
  kind: LinkKind,
  { email = null, role = null, hubIds = [], personId = null }: LinkSubject = {},
): { url: string; link: LinkRecord; tokenHash: Uint8Array } {
  const token = generateToken(LINK_PREFIX, random);
  const now = clock.now();
  const lifetimeMs = LIFETIME_MS[kind];
  const link: LinkRecord = {
    id: newId('lnk'),
    kind,
    email,
    role,
    hubIds,
    personId,
    createdAt: now,
    createdBy: caller.actor,
    expiresAt: lifetimeMs === null ? null : now + lifetimeMs,
  };
  return { url: `${server.baseUrl()}${PAGES[kind]}#${token}`, link, tokenHash: hashToken(token) };
}

/**
 * Returns the link for this token, or throws a `not_found` error that does not reveal whether there ever was one.
 * Failures are slowed, as they are wherever a secret could be guessed.
 */
export async function findLink(
  { store, clock, log, failedAuthentication }: Pick<Deps, 'store' | 'clock' | 'log' | 'failedAuthentication'>,
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
export async function inspectLink(deps: Deps, { kind, email, personId, expiresAt }: LinkRecord): Promise<LinkInfo> {
  const [{ name }, user] = await Promise.all([
    deps.store.workspace.find(),
    personId === null ? null : deps.store.users.find(personId),
  ]);
  return { kind, email: user?.email ?? email, workspaceName: name, expiresAt: isoTimeOrNull(expiresAt) };
}

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

/**
 * Creates a link that lets another user choose a new password. The local admin can also create one for an owner who is
 * locked out. Users cannot create one for themselves, since a stolen session or token would then be enough to set a
 * password without knowing the current one.
 */
export function createResetLink(deps: Deps, sender: Caller, personId: string): Promise<IssuedLink> {
  return changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    const user = await findUser(tx, personId);
    if (caller.user?.id === user.id) {
      throw new AppError(
        'conflict',
        'You cannot create a reset link for your own account. Change your password, or ask another admin or owner.',
      );
    }
    await requireConfirmed(tx, caller, deps.clock.now());
    requireMayTouch(caller, user);
    if (user.disabledAt !== null) {
      throw new AppError('conflict', `The account of ${user.name} is disabled. Enable it first.`);
    }
    await tx.links.deleteMatching({ kind: 'password_reset', personId: user.id });
    const { url, link, tokenHash } = newLink(deps, caller, 'password_reset', { personId: user.id });
    await tx.links.insert(link, tokenHash);
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: 'password.reset_link',
        targetId: user.id,
        targetName: user.name,
        details: { linkId: link.id },
      }),
    );
    return { link: url, expiresAt: isoTimeOrNull(link.expiresAt) };
  });
}
