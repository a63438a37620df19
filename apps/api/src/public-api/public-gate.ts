import { PUBLIC_API_PATH, SCOPES, type Scope } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { bearerToken } from '../http/bearer-token.ts';
import { connectionOf } from '../http/connection.ts';
import { contextOf } from '../http/request-context.ts';
import { isUnder, requestPath } from '../http/request-path.ts';
import { rateLimitHeaders, rejectIfBlocked } from '../keys/admit-key.ts';
import { authenticateKey } from '../keys/authenticate-key.ts';
import { printable } from '../printable.ts';

/** The paths of the public API, and the scope that each asks for. */
const PATHS: ReadonlyMap<string, Scope> = new Map([
  [`${PUBLIC_API_PATH}/messages`, 'messages:create'],
  [`${PUBLIC_API_PATH}/notes`, 'notes:create'],
  [`${PUBLIC_API_PATH}/todos`, 'todos:create'],
]);

interface GateInput {
  request: Request;
  set: { headers: Record<string, string | number> };
}

/**
 * Judges every request under the public API, in the order that product.md, section 1, gives: 401, 403 block, 404 and
 * 405, 403 scope, 404 Hub. It runs before anything of the body is read. What passes has its key in the context.
 */
export function publicGate(deps: Deps) {
  return async ({ request, set }: GateInput): Promise<void> => {
    const path = requestPath(request);
    if (!isUnder(path, PUBLIC_API_PATH)) return;
    const { address } = connectionOf(request);

    const key = await authenticateKey(deps, bearerToken(request.headers), address);
    const context = contextOf(request);
    context.key = key;
    deps.usage.note(key.id, address);
    const admission = deps.limiter.admit(key.id);
    Object.assign(set.headers, rateLimitHeaders(admission));
    await rejectIfBlocked(deps, key, admission, address);

    const scope = PATHS.get(path);
    if (!scope) {
      const known = [...PATHS.keys()].join(', ');
      throw new AppError('not_found', `There is nothing at ${printable(path)}. Post to one of ${known}.`);
    }
    if (request.method !== 'POST') {
      throw new AppError('method_not_allowed', `${path} takes POST only.`, { allow: 'POST' });
    }
    if (!key.scopes.includes(scope)) {
      throw new AppError('forbidden', `This key may not do that: it lacks the scope ${scope} ("${SCOPES[scope]}").`);
    }
    if (key.hubDeletedAt !== null)
      throw new AppError(
        'not_found',
        'The Hub of this key was deleted. An admin can restore it; or use a key of another Hub.',
      );
  };
}
