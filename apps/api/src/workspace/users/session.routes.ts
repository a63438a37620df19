import { serve } from '../../http/operations/serve.ts';
import { contextOf } from '../../http/request-context.ts';
import { endedSessionCookie, sessionCookie, sessionToken } from '../../http/session-cookie.ts';
import type { PasswordDeps } from './check-password.ts';
import { endSession, type SessionDeps } from './sessions-and-tokens.ts';
import { type Browser, confirmSession, showSignedIn, signIn } from './sign-in.ts';

/** Returns what a new session records about the browser. */
export function browserOf(request: Request): Browser {
  const { address, origin } = contextOf(request);
  return {
    address,
    userAgent: request.headers.get('user-agent'),
    formerToken: sessionToken(request.headers, origin),
  };
}

export function sessionRoutes(deps: PasswordDeps & SessionDeps) {
  return serve({
    'GET /session': ({ request, context: { address, origin } }) =>
      showSignedIn(deps, sessionToken(request.headers, origin), address),
    'POST /session': async ({ body, request, context, setCookie }) => {
      const { me, token } = await signIn(deps, browserOf(request), body);
      setCookie(sessionCookie(context.origin, token));
      return me;
    },
    'POST /session/confirmation': ({ caller, body }) => confirmSession(deps, caller, body.password),
    'DELETE /session': async ({ caller, context, setCookie }) => {
      const ended = await endSession(deps, caller, caller.credential.id);
      setCookie(endedSessionCookie(context.origin));
      return ended;
    },
  });
}
