import {
  ConfirmSessionBody,
  Me,
  Session,
  SessionConfirmation,
  SignedIn,
  SignInBody,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { contextOf } from '../http/request-context.ts';
import { endedSessionCookie, sessionCookie, sessionToken } from '../http/session-cookie.ts';
import { readFields, readNoFields } from '../http/validate.ts';
import { userOf } from '../workspace-api/workspace-gate.ts';
import { workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { endSession } from './sessions-and-tokens.ts';
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

/** Returns the `Set-Cookie` header that signs a user in. */
export function signInCookie(request: Request, token: string): string {
  return sessionCookie(contextOf(request).origin, token);
}

export function sessionRoutes(deps: Deps) {
  return new Elysia({ name: 'session', prefix: `${WORKSPACE_API_PATH}/session` })
    .get(
      '',
      ({ request }) => {
        const { address, origin } = contextOf(request);
        return showSignedIn(deps, sessionToken(request.headers, origin), address);
      },
      workspaceOperation({
        operationId: 'showSignedIn',
        summary: 'Show the signed-in user, if any',
        description:
          'For the start of a page: the user of the session cookie, or `null`. Unlike `GET /me`, it is not an error to have no session. `needsSetup` means that no account exists yet.',
        access: 'anyone',
        response: SignedIn,
      }),
    )
    .post(
      '',
      async ({ request, set, status }) => {
        const body = readFields(SignInBody, await readJsonBody(request), { noun: 'a sign-in' });
        const { me, token } = await signIn(deps, browserOf(request), body);
        set.headers['set-cookie'] = signInCookie(request, token);
        return status(201, me);
      },
      workspaceOperation({
        operationId: 'signIn',
        summary: 'Sign in',
        description:
          'The response sets the session cookie. A session ends after 30 days without use, and after 90 days in any case; a session that the request came with ends at once. Wrong passwords are slowed, and 429 when there are too many within an hour, by client address and by e-mail address.',
        access: 'anyone',
        body: { schema: SignInBody },
        status: 201,
        response: Me,
        setsCookie: true,
        errors: [401, 429],
      }),
    )
    .post(
      '/confirmation',
      async ({ request }) => {
        const { password } = readFields(ConfirmSessionBody, await readJsonBody(request), { noun: 'a confirmation' });
        return confirmSession(deps, userOf(request), password);
      },
      workspaceOperation({
        operationId: 'confirmSession',
        summary: 'Confirm your password',
        description:
          'Whatever lets someone in (an account, an invitation, a role, a reset link, an access token, a Hub that you cannot read) is 403 with `Hub-Confirmation: password` in a session in which the password was last entered more than 15 minutes ago. Send it here, then repeat the request. A wrong password is 400.',
        access: 'session',
        body: { schema: ConfirmSessionBody },
        response: SessionConfirmation,
        errors: [429],
      }),
    )
    .delete(
      '',
      async ({ request, set }) => {
        await readNoFields(request, 'signing out');
        const caller = userOf(request);
        const ended = await endSession(deps, caller, caller.credential.id);
        set.headers['set-cookie'] = endedSessionCookie(contextOf(request).origin);
        return ended;
      },
      workspaceOperation({
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session of the request. To end a personal access token, revoke it.',
        access: 'session',
        response: Session,
        setsCookie: true,
        errors: [400, 413, 415],
      }),
    );
}
