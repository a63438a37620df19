import {
  CreatePersonalTokenBody,
  IssuedPersonalToken,
  LIMITS,
  Page,
  PersonalToken,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { parseDateTime } from '../core/date-time.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readListQuery } from '../http/read-query.ts';
import { readFields, readNoFields } from '../http/validate.ts';
import { userOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { createToken } from './create-token.ts';
import { revokeToken } from './end-credential.ts';
import { listTokens } from './list-sessions.ts';

export function tokensRoutes(deps: Deps) {
  return new Elysia({ name: 'tokens', prefix: `${WORKSPACE_API_PATH}/me/tokens` })
    .get(
      '',
      ({ request }) => listTokens(deps, userOf(request).user.id, readListQuery(request)),
      workspaceOperation({
        operationId: 'listTokens',
        summary: 'List your personal access tokens',
        access: 'person',
        parameters: pageParameters,
        status: 200,
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
        description: `A token has the rights of its user, except changing the password and creating tokens. The token is in this response only and is never shown again. A user has at most ${LIMITS.accessTokens} valid ones.`,
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
        description: 'No request that begins after the response is accepted with the token. A token may revoke itself.',
        access: 'person',
        parameters: [idInPath('tokenId', 'The id of the token, not the token itself.', 'pat')],
        status: 200,
        response: PersonalToken,
        errors: [400, 413, 415],
      }),
    );
}
