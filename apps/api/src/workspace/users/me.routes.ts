import { serve } from '../../http/operations/serve.ts';
import { endedSessionCookie, sessionCookie } from '../../http/session-cookie.ts';
import { parseDateTime } from '../../platform/time.ts';
import { changeMe, changePassword } from './change-user.ts';
import type { PasswordDeps } from './check-password.ts';
import { browserOf } from './session.routes.ts';
import {
  createToken,
  endSession,
  listSessions,
  listTokens,
  revokeToken,
  type SessionDeps,
} from './sessions-and-tokens.ts';
import { showMe } from './show-users.ts';

/** The account of the signed-in user, their sessions and their personal access tokens. */
export function meRoutes(deps: PasswordDeps & SessionDeps) {
  return serve({
    'GET /me': ({ caller }) => showMe(deps, caller.user),
    'PATCH /me': ({ caller, body }) => changeMe(deps, caller, body),
    'PUT /me/password': async ({ caller, body, request, context, setCookie }) => {
      const { me, token } = await changePassword(deps, caller, browserOf(request), body);
      setCookie(sessionCookie(context.origin, token));
      return me;
    },
    'GET /me/sessions': ({ caller, query }) => listSessions(deps, caller, query),
    'DELETE /me/sessions/{sessionId}': async ({ caller, params, context, setCookie }) => {
      const ended = await endSession(deps, caller, params.sessionId);
      if (ended.isCurrent) setCookie(endedSessionCookie(context.origin));
      return ended;
    },
    'GET /me/tokens': ({ caller, query }) => listTokens(deps, caller, query),
    'POST /me/tokens': ({ caller, body: { name, expiresAt, lifetimeSeconds } }) =>
      createToken(deps, caller, {
        name,
        expiresAt: expiresAt === undefined ? undefined : (parseDateTime(expiresAt) ?? undefined),
        lifetimeSeconds,
      }),
    'DELETE /me/tokens/{tokenId}': ({ caller, params }) => revokeToken(deps, caller, params.tokenId),
  });
}
