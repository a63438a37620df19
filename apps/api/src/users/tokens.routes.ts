import {
  CreatePersonalTokenBody,
  IssuedPersonalToken,
  LIMITS,
  Page,
  PersonalToken,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import { parseDateTime } from '../date-time.ts';
import type { Deps } from '../deps.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { readListQuery } from '../http/read-query.ts';
import { userOf } from '../http/workspace-gate.ts';
import { idInPath, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { createToken } from './create-token.ts';
import { listTokens } from './list-tokens.ts';
import { revokeToken } from './revoke-token.ts';

export function tokensRoutes(deps: Deps) {
  return new Elysia({ name: 'tokens', prefix: `${WORKSPACE_API_PATH}/me/tokens` })
    .get(
      '',
      ({ request }) => listTokens(deps, userOf(request).user.id, readListQuery(request)),
      workspaceOperation({
        operationId: 'listTokens',
        summary: 'List the own personal access tokens',
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
        summary: 'Make a personal access token',
        description: `It may do what its person may, but for changing the password and making tokens. The answer holds it. It is shown this once, and cannot be had again. A user has at most ${LIMITS.accessTokens} valid ones.`,
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
        summary: 'Revoke one of the own personal access tokens',
        description: 'No request that begins after the answer is accepted with it. A token may revoke itself.',
        access: 'person',
        parameters: [idInPath('tokenId', 'The id of the token, which is not the token.')],
        status: 200,
        response: PersonalToken,
        errors: [400, 413, 415],
      }),
    );
}
