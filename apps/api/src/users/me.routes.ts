import {
  ChangeMeBody,
  ChangePasswordBody,
  CreatePersonalTokenBody,
  IssuedPersonalToken,
  LIMITS,
  Me,
  Page,
  PersonalToken,
  Session,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { parseDateTime } from '../core/time.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readListQuery } from '../http/read-query.ts';
import { contextOf } from '../http/request-context.ts';
import { endedSessionCookie } from '../http/session-cookie.ts';
import { readFields, readNoFields, readPatch } from '../http/validate.ts';
import { userOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { changeMe, changePassword } from './change-user.ts';
import { browserOf, signInCookie } from './session.routes.ts';
import { createToken, endSession, listSessions, listTokens, revokeToken } from './sessions-and-tokens.ts';
import { showMe } from './show-users.ts';

export function meRoutes(deps: Deps) {
  return new Elysia({ name: 'me', prefix: `${WORKSPACE_API_PATH}/me` })
    .get(
      '',
      ({ request }) => showMe(deps, userOf(request).user),
      workspaceOperation({
        operationId: 'showMe',
        summary: 'Show the signed-in user',
        access: 'user',
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
        access: 'user',
        body: { schema: ChangeMeBody },
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
          'All sessions end; the response sets the cookie of a new one. Personal access tokens stay valid unless `revokeTokens` is true.',
        access: 'session',
        body: { schema: ChangePasswordBody },
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
        access: 'session',
        parameters: pageParameters,
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
        access: 'session',
        parameters: [idInPath('sessionId', 'The id of the session.', 'ses')],
        response: Session,
        setsCookie: true,
        errors: [400, 413, 415],
      }),
    );
}

export function tokensRoutes(deps: Deps) {
  return new Elysia({ name: 'tokens', prefix: `${WORKSPACE_API_PATH}/me/tokens` })
    .get(
      '',
      ({ request }) => listTokens(deps, userOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listTokens',
        summary: 'List your personal access tokens',
        access: 'user',
        parameters: pageParameters,
        response: Page(PersonalToken),
      }),
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(CreatePersonalTokenBody, await readJsonBody(request), {
          noun: 'a personal access token',
        });
        const { name, expiresAt, lifetimeSeconds } = body;
        const input = {
          name,
          expiresAt: expiresAt === undefined ? undefined : (parseDateTime(expiresAt) ?? undefined),
          lifetimeSeconds,
        };
        return status(201, await createToken(deps, userOf(request), input));
      },
      workspaceOperation({
        operationId: 'createToken',
        summary: 'Create a personal access token',
        confirmation: 'always',
        description: `A token has the rights of its user, except changing the password and managing sessions and other tokens. The token is in this response only and is never shown again. A user has at most ${LIMITS.accessTokens} valid ones.`,
        access: 'session',
        body: { schema: CreatePersonalTokenBody },
        status: 201,
        response: IssuedPersonalToken,
        errors: [409],
      }),
    )
    .delete(
      '/:tokenId',
      async ({ request, params }) => {
        await readNoFields(request, 'revoking a token');
        return revokeToken(deps, userOf(request), params.tokenId);
      },
      workspaceOperation({
        operationId: 'revokeToken',
        summary: 'Revoke one of your personal access tokens',
        description:
          'No request that begins after the response is accepted with the token. A token can revoke itself, but no other.',
        access: 'user',
        parameters: [idInPath('tokenId', 'The id of the token, not the token itself.', 'pat')],
        response: PersonalToken,
        errors: [400, 413, 415],
      }),
    );
}
