import { hasTokenForm, LINK_PREFIX } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { hashToken } from '../keys/hash-token.ts';
import type { LinkRecord } from '../store/users-store.ts';

/**
 * The link that has this token, or a `not_found` refusal that does not tell whether there ever was one. A failure is
 * slowed, as everywhere where a secret could be guessed.
 */
export async function findLink(
  { store, clock, log, failedAuthentication }: Pick<Deps, 'store' | 'clock' | 'log' | 'failedAuthentication'>,
  token: string,
  address: string,
): Promise<LinkRecord> {
  const link = hasTokenForm(LINK_PREFIX, token) ? await store.users.findLink(hashToken(token)) : null;
  if (link && (link.expiresAt === null || clock.now() < link.expiresAt)) return link;
  log.warn({ address }, 'A link was tried that is not valid');
  await failedAuthentication.slow(address);
  throw new AppError(
    'not_found',
    'This link is not valid: it was used, has expired, was replaced by a newer one, or is not complete. Copy all of it, or ask for another.',
  );
}
