import { ChangeMeBody, ChangePasswordBody, Me, Page, Session, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readListQuery } from '../http/read-query.ts';
import { contextOf } from '../http/request-context.ts';
import { endedSessionCookie } from '../http/session-cookie.ts';
import { readFields, readNoFields, readPatch } from '../http/validate.ts';
import { userOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { browserOf, signInCookie } from './browser-of.ts';
import { changePassword } from './change-password.ts';
import { changeMe } from './change-user.ts';
import { endSession } from './end-credential.ts';
import { listSessions } from './list-sessions.ts';
import { showMe } from './show-me.ts';

export function meRoutes(deps: Deps) {
  return new Elysia({ name: 'me', prefix: `${WORKSPACE_API_PATH}/me` })
    .get(
      '',
      ({ request }) => showMe(deps, userOf(request).user),
      workspaceOperation({
        operationId: 'showMe',
        summary: 'Show the signed-in user',
        access: 'person',
        status: 200,
        response: Me,
      }),
    )
    .patch(
      '',
      async ({ request }) => {
        const body = readPatch(ChangeMeBody, await readJsonBody(request), { noun: 'a user' });
        return changeMe(deps, userOf(request), body);
      },
      workspaceOperation({
        operationId: 'changeMe',
        summary: 'Change your name',
        access: 'person',
        body: { schema: ChangeMeBody },
        status: 200,
        response: Me,
      }),
    )
    .put(
      '/password',
      async ({ request, set }) => {
        const body = readFields(ChangePasswordBody, await readJsonBody(request), { noun: 'a password change' });
        const { me, token } = await changePassword(deps, userOf(request), browserOf(request), body);
        set.headers['set-cookie'] = signInCookie(request, token);
        return me;
      },
      workspaceOperation({
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'All sessions end; the response sets the cookie of a new one. Personal access tokens stay valid: revoke them one by one.',
        access: 'session',
        body: { schema: ChangePasswordBody },
        status: 200,
        response: Me,
        setsCookie: true,
      }),
    )
    .get(
      '/sessions',
      ({ request }) => listSessions(deps, userOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listSessions',
        summary: 'List your sessions',
        access: 'person',
        parameters: pageParameters,
        status: 200,
        response: Page(Session),
      }),
    )
    .delete(
      '/sessions/:sessionId',
      async ({ request, params, set }) => {
        await readNoFields(request, 'ending a session');
        const ended = await endSession(deps, userOf(request), params.sessionId);
        if (ended.isCurrent) set.headers['set-cookie'] = endedSessionCookie(contextOf(request).origin);
        return ended;
      },
      workspaceOperation({
        operationId: 'endSession',
        summary: 'End one of your sessions',
        access: 'person',
        parameters: [idInPath('sessionId', 'The id of the session.', 'ses')],
        status: 200,
        response: Session,
        setsCookie: true,
        errors: [400, 413, 415],
      }),
    );
}
