import { LIVE_PATH, WORKSPACE_API_PATH } from '@hub/contract';
import { type Caller, isAdmin, localCaller, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError, tooManyRequests } from '../errors.ts';
import { authenticateUser } from '../users/authenticate-user.ts';
import { mayTouchOwners } from '../users/user-rights.ts';
import { bearerToken } from './bearer-token.ts';
import { connectionOf } from './connection.ts';
import { contextOf } from './request-context.ts';
import { isUnder, requestPath } from './request-path.ts';
import { rejectForeignOrigin, requireOwnOrigin } from './same-origin.ts';
import { sessionToken } from './session-cookie.ts';

/** What anyone may ask of the workspace API. Everything else under it is refused unless the gate knows who asks. */
const OPEN = new Set([
  `GET ${WORKSPACE_API_PATH}`,
  `HEAD ${WORKSPACE_API_PATH}`,
  `GET ${WORKSPACE_API_PATH}/session`,
  `HEAD ${WORKSPACE_API_PATH}/session`,
  `POST ${WORKSPACE_API_PATH}/session`,
  `POST ${WORKSPACE_API_PATH}/links/inspection`,
  `POST ${WORKSPACE_API_PATH}/links/redemption`,
]);

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Judges every request under the workspace API before anything of it is read: denied, unless it came through the admin
 * socket, whose file mode lets in only the account that runs the server, or with the personal token or the session of
 * somebody who has an account. What the caller may do is the route's to say (`requireAccess`), and the use-case's.
 */
export function workspaceGate(deps: Deps) {
  return ({ request }: { request: Request }): void | Promise<void> => {
    const path = requestPath(request);
    if (!isUnder(path, WORKSPACE_API_PATH)) return;
    if (OPEN.has(`${request.method} ${path}`)) return rejectForeignOrigin(request);
    const { transport, address } = connectionOf(request);
    if (transport === 'local') {
      contextOf(request).caller = localCaller(address);
      return;
    }
    contextOf(request).authorizeAgain = async () => {
      await check(deps, request, path);
      requireAccess(request, contextOf(request).access ?? 'admin');
    };
    return check(deps, request, path).then(() => limitRate(deps, request));
  };
}

function limitRate({ requestRate, limits }: Pick<Deps, 'requestRate' | 'limits'>, request: Request): void {
  const { user, credential } = userOf(request);
  // Apart, so that whoever holds a token cannot keep its owner from revoking it in a browser.
  const seconds = requestRate.admit(`${credential.kind} ${user.id}`);
  if (seconds === 0) return;
  const most = limits.maxRequestsPerMinute.toLocaleString('en');
  throw tooManyRequests(`You have sent ${most} requests within a minute. Try again in ${seconds} s.`, seconds);
}

async function check(deps: Deps, request: Request, path: string): Promise<void> {
  const { address, origin } = connectionOf(request);
  const bearer = bearerToken(request.headers);
  const isCookie = bearer === null && !request.headers.has('authorization');
  const shown = isCookie ? sessionToken(request.headers, origin) : bearer;
  const caller = await authenticateUser(deps, { kind: isCookie ? 'session' : 'token', secret: shown }, address);
  // An upgrade is a GET, but gives a page of another site as much as a write would. Without one, a page only asks why it was refused.
  const isUpgrade = path === LIVE_PATH && request.headers.has('upgrade');
  if (isCookie && (!SAFE.has(request.method) || isUpgrade)) requireOwnOrigin(request);
  contextOf(request).caller = caller;
}

/** Who asks, behind the gate. */
export function callerOf(request: Request): Caller {
  const { caller } = contextOf(request);
  if (!caller) throw new Error('A route of the workspace API was reached without its gate');
  return caller;
}

/** Who asks, where the access is `person` or `session`. */
export function userOf(request: Request): UserCaller {
  const caller = callerOf(request);
  if (caller.user === null || caller.credential.kind === 'local') throw noUser();
  return { ...caller, user: caller.user, credential: caller.credential };
}

function noUser(): AppError {
  return new AppError('forbidden', 'This belongs to a person, and the local admin is none: sign in with an account.');
}

/**
 * Whom an operation is for. `member`: everyone with an account, and the local admin; what of it he may see or do, the
 * use-case judges. `person`: the same without the local admin, who has no account. `session`: a person who has signed
 * in, since a token must not make another one or change the password. `owner`: owners and the local admin, for what shows
 * the content of every Hub.
 */
export type Access = 'anyone' | 'member' | 'person' | 'session' | 'admin' | 'owner';

export function requireAccess(request: Request, access: Access): void {
  contextOf(request).access = access;
  if (access === 'anyone') return;
  const caller = callerOf(request);
  if (access === 'admin' && !isAdmin(caller)) {
    throw new AppError('forbidden', 'Only admins of the workspace may do this. Ask one of them.');
  }
  if (access === 'owner' && !mayTouchOwners(caller)) {
    throw new AppError('forbidden', 'Only owners may do this, since it contains every Hub. Ask an owner.');
  }
  if (access !== 'person' && access !== 'session') return;
  if (caller.user === null) throw noUser();
  if (access === 'session' && caller.credential.kind !== 'session') {
    throw new AppError('forbidden', 'A personal access token may not do this: sign in with the password.');
  }
}
