import { PUBLIC_API_PATH, SCOPES, type Scope } from '@hub/contract';
import type { CredentialDeps } from '../access/credential-use.ts';
import { announcedBytes, bodyBytes } from '../http/read-body.ts';
import type { RequestContext } from '../http/request-context.ts';
import { bearerToken } from '../http/request-context.ts';
import { AppError } from '../platform/errors.ts';
import { FairGate } from '../platform/fair-gate.ts';
import { printable } from '../platform/printable.ts';
import type { KeyDeps } from '../workspace/keys/key-usage.ts';
import { authenticateKey, RATE_LIMIT_POLICY, rateLimit, rejectBlocked } from './authenticate-key.ts';

/** The paths of the public API, and the scope that each requires. */
const PATHS: ReadonlyMap<string, Scope> = new Map([
  [`${PUBLIC_API_PATH}/messages`, 'messages:create'],
  [`${PUBLIC_API_PATH}/notes`, 'notes:create'],
  [`${PUBLIC_API_PATH}/todos`, 'todos:create'],
  [`${PUBLIC_API_PATH}/relay/slack`, 'messages:create'],
  [`${PUBLIC_API_PATH}/relay/alertmanager`, 'messages:create'],
  [`${PUBLIC_API_PATH}/relay/grafana`, 'messages:create'],
]);

/** Larger posts of one key take turns. Smaller ones take less time than the rate limit leaves. */
const LARGE_BYTES = 64 * 1024;
const LARGE_POSTS = { perCaller: 4, total: Number.POSITIVE_INFINITY, maxWaiting: 10_000, maxWaitMs: 10_000 } as const;

function tooManyWaiting(): AppError {
  return new AppError('unavailable', 'This key has too many large posts waiting. Send fewer at the same time.', {
    'retry-after': '3',
  });
}

type ResponseHeaders = Record<string, string | number>;

/**
 * Checks every request to the public API in the order of product.md, section 1: 401, 403 block, 404 and 405, 403 scope,
 * 404 Hub. It runs before any of the body is read. If the checks pass, the request context contains the key.
 */
export function publicGate(deps: KeyDeps & CredentialDeps) {
  const largePosts = new FairGate({ ...LARGE_POSTS, clock: deps.clock, busy: tooManyWaiting });
  return async (request: Request, context: RequestContext, headers: ResponseHeaders): Promise<void> => {
    const { path, address } = context;
    const { key, admission } = await authenticateKey(deps, bearerToken(request.headers), address);
    context.key = key;
    deps.usage.record(key.id, address);
    headers['ratelimit-policy'] = RATE_LIMIT_POLICY;
    headers.ratelimit = rateLimit(admission);
    if (!admission.admitted) await rejectBlocked(deps, key, admission, address);

    const scope = PATHS.get(path);
    if (!scope) {
      const known = [...PATHS.keys()].join(', ');
      throw new AppError('not_found', `There is nothing at ${printable(path)}. Post to one of ${known}.`);
    }
    if (request.method !== 'POST') {
      throw new AppError('method_not_allowed', `${path} only accepts POST.`, { allow: 'POST' });
    }
    if (!key.scopes.includes(scope)) {
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
