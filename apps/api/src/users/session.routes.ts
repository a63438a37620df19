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
import type { Deps } from '../deps.ts';
import { browserOf, signInCookie } from '../http/browser-of.ts';
import { connectionOf } from '../http/connection.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { endedSessionCookie, sessionToken } from '../http/session-cookie.ts';
import { userOf } from '../http/workspace-gate.ts';
import { workspaceOperation } from '../http/workspace-operation.ts';
import { confirmSession } from './confirm-session.ts';
import { endSession } from './end-session.ts';
import { showSignedIn } from './show-signed-in.ts';
import { signIn } from './sign-in.ts';

export function sessionRoutes(deps: Deps) {
  return new Elysia({ name: 'session', prefix: `${WORKSPACE_API_PATH}/session` })
    .get(
      '',
      ({ request }) => {
        const { address, origin } = connectionOf(request);
        return showSignedIn(deps, sessionToken(request.headers, origin), address);
      },
      workspaceOperation({
        operationId: 'showSignedIn',
        summary: 'Show who is signed in, if anybody is',
        description:
          'For a page that begins: whom the cookie of the request lets in, or `null`. Without a session that is no refusal, as it is from `GET /me`. `needsSetup` says that nobody has an account yet.',
        access: 'anyone',
        status: 200,
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
          'The session is in the cookie of the answer. It ends when it was not used for 30 days, and after 90 days in any case; the one with which the request came ends at once. Wrong passwords are slowed, and 429 when there are too many within an hour, by client address and by e-mail address.',
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
        summary: 'Give the password once more',
        description:
          'Creating an access token, giving a role, making a link for a new password and changing the rules for keys are 403 with `Hub-Confirmation: password` in a session in which the password was last given more than 15 minutes ago. Send it here, then repeat the request. A wrong password is 400.',
        access: 'session',
        body: { schema: ConfirmSessionBody },
        status: 200,
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
        set.headers['set-cookie'] = endedSessionCookie(connectionOf(request).origin);
        return ended;
      },
      workspaceOperation({
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session of the request. A personal access token is revoked instead.',
        access: 'session',
        status: 200,
        response: Session,
        setsCookie: true,
        errors: [400, 413, 415],
      }),
    );
}
