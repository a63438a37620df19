import { hasTokenFormat, KEY_PREFIX, RATE_LIMIT, SCOPES } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { publicPaths } from '@hub/contract/operations/public';
import { hashToken } from '../access/credentials.ts';
import type { CredentialDeps } from '../access/deps.ts';
import { announcedBytes, bodyBytes } from '../http/read-body.ts';
import { bearerToken, type RequestContext } from '../http/request-context.ts';
import { AppError, printable, tooBusy } from '../platform/errors.ts';
import { FairGate } from '../platform/fair-gate.ts';
import type { Admission } from '../platform/sliding-window.ts';
import type { KeyCredential } from '../storage/keys.ts';
import type { KeyDeps } from '../workspace/keys/key-usage.ts';
import { saveBlock } from './flush-keys.ts';
import { CHALLENGE, keyNotValid } from './public-api.ts';

/** Larger posts of one key take turns. Smaller ones take less time than the rate limit leaves. */
const LARGE_BYTES = 64 * 1024;
const LARGE_POSTS = {
  ...{ perCaller: 4, maxWaiting: 10_000, maxWaitMs: 10_000 },
  busy: () => tooBusy('This key has too many large posts waiting. Send fewer at the same time.'),
};

/** Checks requests before their body is read: 401, 403 block, 404, 405, 403 scope, 404 Hub (docs/public-api.md). */
export function publicGate(deps: KeyDeps & CredentialDeps) {
  const largePosts = new FairGate({ ...LARGE_POSTS, clock: deps.clock });
  return async (request: Request, context: RequestContext): Promise<void> => {
    const { path, address } = context;
    const { key, admission } = await authenticateKey(deps, bearerToken(request.headers), address);
    context.key = key;
    deps.usage.record(key.id, address);
    context.rateLimit = rateLimit(admission);
    if (!admission.admitted) await rejectBlocked(deps, key, admission, address);

    const scope = publicPaths.get(path)?.scope;
    if (!scope) {
      const known = [...publicPaths.keys()].join(', ');
      throw new AppError('not_found', `There is nothing at ${printable(path)}. Post to one of ${known}.`);
    }
    if (request.method !== 'POST') {
      throw new AppError('method_not_allowed', `${path} only accepts POST.`, { allow: 'POST' });
    }
    if (scope !== 'any' && !key.scopes.includes(scope)) {
      throw new AppError('forbidden', `This key lacks the scope ${scope} ("${SCOPES[scope]}"). Use a key that has it.`);
    }
    if (key.hubDeletedAt !== null)
      throw new AppError(
        'not_found',
        'The Hub of this key was deleted. Ask an admin to restore it, or use a key for another Hub.',
      );
    const announced = announcedBytes(request);
    if (announced !== null && announced <= LARGE_BYTES) return;
    context.hold(context.bodies.hold(key.id, bodyBytes(request)));
    context.bodyArrived = async () => context.hold(await largePosts.enter(key.id, request));
  };
}

/** Returns the key for a bearer token, and counts the request. The error reveals nothing about a key; 503 passes. */
async function authenticateKey(
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

/** Returns the `RateLimit` field of draft-ietf-httpapi-ratelimit-headers, which every authenticated response has. */
function rateLimit(admission: Admission): string {
  const [left, reset] = admission.admitted
    ? [admission.left, admission.resetSeconds]
    : [0, admission.retryAfterSeconds];
  return `"default";r=${left};t=${reset}`;
}

/** Throws for a blocked key. The request that triggers the block also saves it; it is in effect even if that fails. */
async function rejectBlocked(
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
