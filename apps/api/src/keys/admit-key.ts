import { RATE_LIMIT } from '@hub/contract';
import { auditRecord, SERVER } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { KeyCredential } from '../store/store.ts';
import type { Admission } from './sliding-window.ts';

/** The two header fields of draft-ietf-httpapi-ratelimit-headers, on every answer to a request that authenticated. */
export function rateLimitHeaders(admission: Admission): Record<'ratelimit-policy' | 'ratelimit', string> {
  const [left, reset] = admission.admitted
    ? [admission.left, admission.resetSeconds]
    : [0, admission.retryAfterSeconds];
  return {
    'ratelimit-policy': `"default";q=${RATE_LIMIT.requests};w=${RATE_LIMIT.windowSeconds}`,
    ratelimit: `"default";r=${left};t=${reset}`,
  };
}

/**
 * Refuses a request of a blocked key. The request that sets off the block also writes it down, so that it survives
 * a restart, together with its audit entry. In memory the block holds at once, whether or not the disk takes it.
 */
export async function rejectIfBlocked(
  deps: Pick<Deps, 'store' | 'clock' | 'newId' | 'log' | 'limiter'>,
  key: KeyCredential,
  admission: Admission,
  address: string,
): Promise<void> {
  if (admission.admitted) return;
  if (admission.newlyBlocked) await writeDownBlock(deps, key, address);
  throw new AppError(
    'rate_limited',
    `This key sent more than ${RATE_LIMIT.requests} requests within ${RATE_LIMIT.windowSeconds} seconds and is blocked ` +
      `for ${admission.retryAfterSeconds} seconds more. Waiting is enough; sending meanwhile does not make it longer.`,
    { 'retry-after': String(admission.retryAfterSeconds) },
  );
}

async function writeDownBlock(
  deps: Pick<Deps, 'store' | 'clock' | 'newId' | 'log' | 'limiter'>,
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
      targetId: key.id,
      targetName: key.name,
      details: { until: new Date(until).toISOString() },
    },
  );
  const block = { keyId: key.id, until, sinceBoot: deps.clock.sinceBoot(), audit };
  try {
    await deps.store.keys.block(block);
  } catch (error) {
    deps.limiter.unwrittenBlocks.set(key.id, block);
    deps.log.error({ err: error, keyId: key.id }, 'A block could not be written down; it holds, and is tried again');
  }
}
