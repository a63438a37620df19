import { Elysia } from 'elysia';
import { endedCookie, readCookie, serverCookie, sessionCookie } from '../../http/operations/workspace-gate.ts';
import { contextOf } from '../../http/request-context.ts';
import { AppError } from '../../platform/errors.ts';
import type { PasswordDeps } from './check-password.ts';
import { type IdentityProvider, type PendingSignIn, ProviderRejection } from './identity-provider.ts';
import { SignInRejected, signInWithProvider } from './provider-sign-in.ts';
import { browserOf } from './users.routes.ts';

const PENDING_COOKIE = 'hub_sign_in';
/** How long the user may take at the provider. */
const PENDING_SECONDS = 600;

/** The pages of an OpenID Connect provider: to it, back, and out. They only send the browser on. */
export function providerRoutes(deps: PasswordDeps & { provider: IdentityProvider | null }) {
  const routes = new Elysia({ name: 'provider', detail: { hide: true } });
  const { provider } = deps;
  if (!provider) return routes;
  const withProvider = { ...deps, provider };

  const failed = async (request: Request, error: unknown, then: string): Promise<Response> => {
    const { address, origin } = contextOf(request);
    const problem = problemOf(error);
    deps.log.warn({ err: error, address, problem }, 'Sign-in with the provider failed');
    if (problem !== 'unavailable') await deps.failedAuthentication.slow(address);
    const url = new URL(then, origin);
    url.searchParams.set('sign-in', problem);
    return sendTo(url.pathname + url.search, [endedCookie(origin, PENDING_COOKIE)]);
  };

  return routes
    .get('/sign-in', async ({ request }) => {
      const { origin } = contextOf(request);
      const query = new URL(request.url).searchParams;
      const then = ownPath(query.get('then'), origin);
      try {
        const isConfirmation = query.has('confirm');
        const { url, pending } = await provider.begin(origin, { then, isConfirmation });
        const value = Buffer.from(JSON.stringify(pending)).toString('base64url');
        return sendTo(url.href, [serverCookie(origin, PENDING_COOKIE, value, PENDING_SECONDS)]);
      } catch (error) {
        return failed(request, error, then);
      }
    })
    .get('/sign-out', async ({ request }) => {
      const { origin } = contextOf(request);
      return sendTo((await provider.signOutUrl(origin).catch(() => null)) ?? '/?sign-in=not-offered', []);
    })
    .get('/sign-in/callback', async ({ request }) => {
      const { origin } = contextOf(request);
      const pending = readPending(readCookie(request.headers, origin, PENDING_COOKIE));
      // Without it, the sign-in began in another browser: an attacker may have sent the user a link into another account.
      if (!pending) return failed(request, new ProviderRejection('the sign-in did not begin in this browser'), '/');
      const then = ownPath(pending.then, origin);
      try {
        const claims = await provider.finish(origin, new URL(request.url).search.slice(1), pending);
        const token = await signInWithProvider(withProvider, browserOf(request), claims);
        return sendTo(then, [sessionCookie(origin, token), endedCookie(origin, PENDING_COOKIE)]);
      } catch (error) {
        return failed(request, error, then);
      }
    });
}

function sendTo(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** Returns the path and query of an address of this server, and `/` for any other. */
function ownPath(text: string | null, origin: string): string {
  const url = text?.startsWith('/') ? URL.parse(text, origin) : null;
  // Two slashes would begin another host.
  return url?.origin === new URL(origin).origin ? url.pathname.replace(/^\/+/, '/') + url.search + url.hash : '/';
}

function readPending(value: string | null): PendingSignIn | null {
  try {
    const pending = JSON.parse(Buffer.from(value ?? '', 'base64url').toString()) as Partial<PendingSignIn>;
    const { state, nonce, verifier, then } = pending;
    return [state, nonce, verifier, then].every((part) => typeof part === 'string' && part !== '')
      ? ({ ...pending, isConfirmation: pending.isConfirmation === true } as PendingSignIn)
      : null;
  } catch {
    return null;
  }
}

/** The word in the address of the page that explains the problem. */
function problemOf(error: unknown): string {
  if (error instanceof SignInRejected) return error.problem;
  if (error instanceof ProviderRejection) return error.message === 'access_denied' ? 'canceled' : 'failed';
  if (error instanceof AppError && error.code !== 'unavailable') return 'failed';
  return 'unavailable';
}
