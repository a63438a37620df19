import { LIVE_PATH, WORKSPACE_API_PATH } from '@hub/contract';
import { operations } from '@hub/contract/operations';
import type { Access, OperationDeclaration } from '@hub/contract/operations/operation';
import {
  authenticateUser,
  type Caller,
  factorDueAt,
  localCaller,
  senderOf,
  type UserCaller,
} from '../../access/caller.ts';
import type { CredentialDeps } from '../../access/deps.ts';
import { requireAdmin, requireConfirmed, requireOwner } from '../../access/user-rights.ts';
import { AppError, printable, tooBusy, tooManyRequests } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import { bodyBytes } from '../read-body.ts';
import { bearerToken, contextOf, type RequestContext } from '../request-context.ts';

/** Returns the methods and paths of requests to these operations. */
const requestsTo = (isOne: (operation: OperationDeclaration) => boolean) =>
  new Set(
    Object.entries<OperationDeclaration>(operations).flatMap(([operation, declared]) => {
      if (!isOne(declared)) return [];
      const [method, path] = operation.split(' ');
      const url = `${WORKSPACE_API_PATH}${path === '/' ? '' : path}`;
      return method === 'GET' ? [`GET ${url}`, `HEAD ${url}`] : [`${method} ${url}`];
    }),
  );

/** The requests to the workspace API that need no authentication. Every other one requires an authenticated caller. */
const OPEN = requestsTo(({ access }) => access === 'anyone');

/** The requests with which a user sets up a second factor that is overdue. */
const FACTOR_SETUP = requestsTo(({ needsNoFactor }) => needsNoFactor === true);

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A few costly requests of each user run at a time. PostgreSQL has six connections for reads, also for cheap ones. */
const COSTLY_REQUESTS = { perCaller: 2, total: 4, maxWaiting: 2_000, maxWaitMs: 10_000 } as const;

/** Requests that write, or read an item of any size, take turns with those of the same user only. */
const OWN_REQUESTS = { perCaller: 4, maxWaiting: 10_000, maxWaitMs: 10_000 } as const;

/** Authenticates requests before their body is read: by a token, a session, or the mode of the admin socket's file. */
export function workspaceGate(deps: CredentialDeps) {
  const busy = () => tooBusy('Too many requests are waiting. Try again, with fewer at the same time.');
  const costlyRequests = new FairGate({ ...COSTLY_REQUESTS, clock: deps.clock, busy });
  const ownRequests = new FairGate({ ...OWN_REQUESTS, clock: deps.clock, busy });
  return (request: Request, context: RequestContext): void | Promise<void> => {
    const { path, transport, address } = context;
    if (OPEN.has(`${request.method} ${path}`)) return rejectForeignOrigin(request);
    if (transport === 'local') {
      context.caller = localCaller(address);
      return;
    }
    const reauthorize = async () => {
      await check(deps, request, context);
      requireAccess(request, context.access ?? 'admin');
    };
    context.reauthorize = reauthorize;
    context.bodyArrived = reauthorize;
    context.takeTurn = async (turn, { readsBody }) => {
      const caller = userOf(request);
      const sender = senderOf(caller);
      const enter = () =>
        turn === 'own' ? ownRequests.enter(sender, request) : costlyRequests.enter(caller.user.id, request);
      if (turn === 'own') context.hold(context.bodies.hold(sender, bodyBytes(request)));
      if (readsBody && request.body !== null) {
        context.bodyArrived = async () => {
          context.hold(await enter());
          await reauthorize();
        };
        return;
      }
      const entered = enter();
      context.hold(await entered);
      if (entered instanceof Promise) await reauthorize();
    };
    context.requireConfirmed = () => requireConfirmed(deps.store, callerOf(request), deps.clock.now());
    return check(deps, request, context).then(() => limitRate(deps, request));
  };
}

function limitRate({ requestRate, limits }: Pick<CredentialDeps, 'requestRate' | 'limits'>, request: Request): void {
  const seconds = requestRate.admit(senderOf(userOf(request)));
  if (seconds === 0) return;
  const most = limits.maxRequestsPerMinute.toLocaleString('en');
  throw tooManyRequests(`You have sent ${most} requests within a minute. Try again in ${seconds} s.`, seconds);
}

async function check(deps: CredentialDeps, request: Request, context: RequestContext): Promise<void> {
  const { address, origin, path } = context;
  const bearer = bearerToken(request.headers);
  const isCookie = bearer === null && !request.headers.has('authorization');
  const secret = isCookie ? sessionToken(request.headers, origin) : bearer;
  const caller = await authenticateUser(deps, { kind: isCookie ? 'session' : 'token', secret }, address);
  // An upgrade is a GET, but would give a page of another site as much access as a write. A GET without an upgrade only
  // asks why an upgrade failed.
  const isUpgrade = path === LIVE_PATH && request.headers.has('upgrade');
  if (isCookie && (!SAFE.has(request.method) || isUpgrade)) requireOwnOrigin(request);
  if (isCookie) requireSameUser(request, caller);
  if (isCookie && !FACTOR_SETUP.has(`${request.method} ${path}`)) requireNoOverdueFactor(caller, deps.clock.now());
  context.caller = caller;
}

/** Rejects a page that the previous user of the browser left open: all its pages share one session. */
function requireSameUser(request: Request, { user }: Caller): void {
  const userId = request.headers.get('hub-user');
  if (userId === null || userId === user?.id) return;
  throw new AppError('unauthenticated', 'This browser is signed in as another user now. Reload the page.');
}

function requireNoOverdueFactor(caller: Caller, now: number): void {
  const dueAt = factorDueAt(caller);
  if (dueAt === null || now < dueAt) return;
  throw new AppError('forbidden', 'Your workspace requires a second factor. Set one up in the web app first.', {
    'hub-second-factor': 'overdue',
  });
}

/** Returns the caller of a request that passed the gate. */
export function callerOf(request: Request): Caller {
  const { caller } = contextOf(request);
  if (!caller) throw new Error('A route of the workspace API was reached without its gate');
  return caller;
}

/** Returns the user behind a request, for the access levels `user` and `session`. */
export function userOf(request: Request): UserCaller {
  return requireUser(callerOf(request));
}

export function requireUser(caller: Caller): UserCaller {
  if (caller.user === null || caller.credential.kind === 'local') throw noUser();
  return { ...caller, user: caller.user, credential: caller.credential };
}

function noUser(): AppError {
  return new AppError('forbidden', 'This requires a user account; the local admin has none. Sign in with an account.');
}

export function requireAccess(request: Request, access: Access): void {
  contextOf(request).access = access;
  if (access === 'anyone') return;
  const caller = callerOf(request);
  if (access === 'admin') requireAdmin(caller);
  if (access === 'owner') requireOwner(caller);
  if (access !== 'user' && access !== 'session') return;
  if (caller.user === null) throw noUser();
  if (access === 'session' && caller.credential.kind !== 'session') {
    throw new AppError('forbidden', 'Personal access tokens cannot do this. Sign in with your password.');
  }
}

/** Rejects requests of another site's page: with a cookie, the `Origin` (RFC 6454) must be this server's own. */
function requireOwnOrigin(request: Request): void {
  const { origin: own, isOriginConfigured } = contextOf(request);
  const origin = request.headers.get('origin');
  if (origin === own) return;
  const problem =
    origin === null ? 'The Origin header is missing' : `The Origin ${printable(origin)} is another site's`;
  const proxy =
    origin === null || isOriginConfigured ? '' : ' If that is this server behind a proxy, set HUB_BASE_URL to it.';
  throw new AppError(
    'forbidden',
    `${problem}: requests with a session cookie must come from ${own}.${proxy} In a program, use a personal access token instead.`,
  );
}

/** Rejects a foreign Origin on routes that need no cookie. A missing one is accepted. */
function rejectForeignOrigin(request: Request): void {
  if (request.headers.has('origin')) requireOwnOrigin(request);
}

/** The maximum age of cookies in browsers (RFC 6265bis, section 5.5). The server decides when a session ends. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/** Returns the cookie name. A sibling domain cannot set a `__Host-` cookie (RFC 6265bis, section 4.1.3). */
function cookieName(origin: string, name: string): string {
  return origin.startsWith('https:') ? `__Host-${name}` : name;
}

const SESSION_COOKIE = 'hub_session';

const attributes = (origin: string): string =>
  `Path=/; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;

/** Returns the `Set-Cookie` value that stores a session. `origin` is the server's origin as the browser sees it. */
export function sessionCookie(origin: string, token: string): string {
  return serverCookie(origin, SESSION_COOKIE, token, MAX_AGE_SECONDS);
}

export function endedSessionCookie(origin: string): string {
  return endedCookie(origin, SESSION_COOKIE);
}

/** Returns the `Set-Cookie` value for a cookie of the server that is kept for this long. */
export function serverCookie(origin: string, name: string, value: string, maxAgeSeconds: number): string {
  return `${cookieName(origin, name)}=${value}; Max-Age=${maxAgeSeconds}; ${attributes(origin)}`;
}

export function endedCookie(origin: string, name: string): string {
  return serverCookie(origin, name, '', 0);
}

/** Returns the token in the cookie of a request, or `null`. */
export function sessionToken(headers: Headers, origin: string): string | null {
  return readCookie(headers, origin, SESSION_COOKIE);
}

/** The first cookie of a name is the more specific one (RFC 6265, section 5.4). */
export function readCookie(headers: Headers, origin: string, name: string): string | null {
  return new Bun.CookieMap(headers.get('cookie') ?? '').get(cookieName(origin, name));
}
