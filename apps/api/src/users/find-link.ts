import { hasTokenFormat, LINK_PREFIX, type LinkInfo } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { isoTimeOrNull } from '../core/time.ts';
import { hashToken } from '../credentials/hash-token.ts';
import type { LinkRecord } from '../storage/users-store.ts';

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
