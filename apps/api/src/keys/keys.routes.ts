import { ApiKey, IssuedKey, IssueKeyBody, KEY_STATES, Page, SucceedKeyBody, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import { parseDateTime } from '../date-time.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody, readOptionalJsonBody } from '../http/read-json-body.ts';
import { readChoice, readListQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { workspaceOperation } from '../http/workspace-operation.ts';
import { findKey } from './find-key.ts';
import { issueKey } from './issue-key.ts';
import type { ExpiryChoice } from './key-expiry.ts';
import { keyView } from './key-view.ts';
import { listKeys } from './list-keys.ts';
import { replaceKey } from './replace-key.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

export function keysRoutes(deps: Deps) {
  return new Elysia({ name: 'keys', prefix: `${WORKSPACE_API_PATH}/keys` })
    .get(
      '',
      ({ request }) => {
        const { state, ...query } = readListQuery(request, ['hubId', 'state']);
        return listKeys(deps, { ...query, state: readChoice('state', state, KEY_STATES) });
      },
      { response: Page(ApiKey), detail: workspaceOperation('listKeys', 'List keys') },
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(IssueKeyBody, await readJsonBody(request), { noun: 'a key' });
        const { hubId, name, scopes } = body;
        if (new Set(scopes).size < scopes.length) throw new Refusal('invalid', 'scopes names one twice');
        return status(201, await issueKey(deps, callerOf(request), { hubId, name, scopes, ...expiryOf(body) }));
      },
      {
        parse: 'none',
        response: { 201: IssuedKey },
        detail: workspaceOperation('issueKey', 'Issue a key', IssueKeyBody),
      },
    )
    .get('/:keyId', async ({ params }) => keyView(deps, await findKey(deps, params.keyId)), {
      response: ApiKey,
      detail: workspaceOperation('showKey', 'Show a key'),
    })
    .post(
      '/:keyId/rotation',
      async ({ request, params, status }) => {
        const expiry = await readExpiry(request);
        return status(201, await rotateKey(deps, callerOf(request), params.keyId, expiry));
      },
      {
        parse: 'none',
        response: { 201: IssuedKey },
        detail: workspaceOperation('rotateKey', 'Rotate a key; the old one works 24 hours more', SucceedKeyBody),
      },
    )
    .post(
      '/:keyId/replacement',
      async ({ request, params, status }) => {
        const expiry = await readExpiry(request);
        return status(201, await replaceKey(deps, callerOf(request), params.keyId, expiry));
      },
      {
        parse: 'none',
        response: { 201: IssuedKey },
        detail: workspaceOperation('replaceKey', 'Replace a leaked key; the old one ends at once', SucceedKeyBody),
      },
    )
    .post('/:keyId/revocation', ({ request, params }) => revokeKey(deps, callerOf(request), params.keyId), {
      parse: 'none',
      response: ApiKey,
      detail: workspaceOperation('revokeKey', 'Revoke a key at once'),
    });
}

async function readExpiry(request: Request): Promise<ExpiryChoice> {
  const body = await readOptionalJsonBody(request);
  return expiryOf(readFields(SucceedKeyBody, body, { noun: 'a rotation' }));
}

function expiryOf(body: { expiresAt?: string; lifetimeSeconds?: number }): ExpiryChoice {
  return {
    expiresAt: body.expiresAt === undefined ? undefined : (parseDateTime(body.expiresAt) ?? undefined),
    lifetimeSeconds: body.lifetimeSeconds,
  };
}
