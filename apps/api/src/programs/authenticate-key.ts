import { hasTokenFormat, KEY_PREFIX, RATE_LIMIT } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { auditRecord } from '../access/actor.ts';
import type { CredentialDeps } from '../access/credential-use.ts';
import { hashToken } from '../access/tokens.ts';
import { AppError } from '../platform/errors.ts';
import type { Admission } from '../platform/sliding-window.ts';
import { SERVER } from '../storage/audit.ts';
import type { KeyCredential, NewBlock } from '../storage/keys.ts';
import type { Store } from '../storage/store.ts';
import type { KeyDeps } from '../workspace/keys/key-usage.ts';

const CHALLENGE = { 'www-authenticate': 'Bearer' };

/** Returns the error for a key that is not valid. Unknown, expired and revoked keys share one message. */
export function keyNotValid(): AppError {
  return new AppError(
    'unauthenticated',
    'This API key is not valid: it is unknown, expired or revoked. Ask an admin for a new one.',
    CHALLENGE,
  );
}

/**
 * Returns the key for a bearer token, and counts the request. Otherwise throws an `unauthenticated` error, which
 * reveals nothing about a key that a stranger found. An error of the store is not a failed authentication: it passes through as 503.
 */
export async function authenticateKey(
  {
    store,
    clock,
    limiter,
    failedAuthentication,
    revocations,
  }: Pick<KeyDeps & CredentialDeps, 'store' | 'clock' | 'limiter' | 'failedAuthentication' | 'revocations'>,
  token: string | null,
  address: string,
): Promise<{ key: KeyCredential; admission: Admission }> {
  const reject = async (error: AppError): Promise<never> => {
    await failedAuthentication.slow(address);
    throw error;
  };

  if (token === null) {
    const message = 'Missing API key. Send it as "Authorization: Bearer hub_live_…".';
    return reject(new AppError('unauthenticated', message, CHALLENGE));
  }
  if (!hasTokenFormat(KEY_PREFIX, token)) {
    const malformed =
      'Malformed API key: a key is hub_live_ followed by 40 letters and digits. Check that you copied all of it.';
    return reject(new AppError('unauthenticated', malformed, CHALLENGE));
  }
  const found = await limiter.countRequest(hashToken(token), {
    findByTokenHash: store.keys.findByTokenHash,
    isValid: (key) => isValid(key, clock.now()) && revocations.revokedAt(key.id) === undefined,
  });
  if (!found?.admission) return reject(keyNotValid());
  return { key: found.key, admission: found.admission };
}

/** The `RateLimit-Policy` field of draft-ietf-httpapi-ratelimit-headers, which every authenticated response has. */
export const RATE_LIMIT_POLICY = `"default";q=${RATE_LIMIT.requests};w=${RATE_LIMIT.windowSeconds}`;

/** Returns the `RateLimit` field of draft-ietf-httpapi-ratelimit-headers, which every authenticated response has. */
export function rateLimit(admission: Admission): string {
  const [left, reset] = admission.admitted
    ? [admission.left, admission.resetSeconds]
    : [0, admission.retryAfterSeconds];
  return `"default";r=${left};t=${reset}`;
}

/**
 * Throws for a request with a blocked key. The request that triggers the block also saves it, together with its audit
 * entry, so the block survives a restart. The block takes effect in memory immediately, even if saving it fails.
 */
export async function rejectBlocked(
  deps: Pick<KeyDeps, 'store' | 'clock' | 'newId' | 'log' | 'limiter'>,
  key: KeyCredential,
  admission: Admission & { admitted: false },
  address: string,
): Promise<never> {
  if (admission.newlyBlocked) await saveBlock(deps, key, address);
  throw new AppError(
    'rate_limited',
    `This key sent more than ${RATE_LIMIT.requests} requests within ${RATE_LIMIT.windowSeconds} seconds and is blocked ` +
      `for another ${admission.retryAfterSeconds} seconds. Wait until then; requests during the block do not extend it.`,
    { 'retry-after': String(admission.retryAfterSeconds) },
  );
}

/** Writes a block that begins at the time of its audit entry. */
export function writeBlock(store: Store, { audit, sinceBoot, ...block }: NewBlock): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.keys.saveBlock(block, { at: audit.at, sinceBoot });
    await tx.keys.countBlock(block.keyId, audit.at);
    await tx.audit.insert(audit);
  }, `key ${block.keyId}`);
}

async function saveBlock(
  deps: Pick<KeyDeps, 'store' | 'clock' | 'newId' | 'log' | 'limiter'>,
  key: KeyCredential,
  address: string,
): Promise<void> {
  const until = deps.clock.now() + RATE_LIMIT.blockSeconds * 1000;
  const audit = auditRecord(
    deps,
    { actor: SERVER, address },
    {
      action: 'key.blocked',
      hubId: key.hubId,
      target: key,
      details: { until: new Date(until).toISOString() },
    },
  );
  const block = { keyId: key.id, until, sinceBoot: deps.clock.sinceBoot(), audit };
  try {
    await writeBlock(deps.store, block);
  } catch (error) {
    deps.limiter.unsavedBlocks.set(key.id, block);
    deps.log.error({ err: error, keyId: key.id }, 'Failed to save a block; it stays in effect and will be retried');
  }
}
