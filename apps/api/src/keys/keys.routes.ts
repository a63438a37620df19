import {
  ApiKey,
  IssuedKey,
  IssueKeyBody,
  KEY_STATES,
  KeyAddresses,
  KeyUsageByDay,
  Page,
  SucceedKeyBody,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { parseDateTime } from '../date-time.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody, readOptionalJsonBody } from '../http/read-json-body.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { readChoice, readCount, readListQuery, readQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { choice, filter, idInPath, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { issueKey } from './issue-key.ts';
import { showKeyAddresses } from './key-addresses.ts';
import { showKeyUsage } from './key-days.ts';
import type { ExpiryChoice } from './key-expiry.ts';
import { manageableKey } from './key-rights.ts';
import { keyView } from './key-view.ts';
import { listKeys } from './list-keys.ts';
import { replaceKey } from './replace-key.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

const MAX_DAYS = 90;
const DEFAULT_DAYS = 30;

const WHO_MAY = 'The workspace can keep keys to admins: a member gets 403 then.';
const daysSchema = Type.Integer({ minimum: 1, maximum: MAX_DAYS });
const keyId = idInPath('keyId', 'The id of the key, which is not the key.');

export function keysRoutes(deps: Deps) {
  return new Elysia({ name: 'keys', prefix: `${WORKSPACE_API_PATH}/keys` })
    .get(
      '',
      ({ request }) => {
        const { state, usageDays, ...query } = readListQuery(request, ['hubId', 'state', 'usageDays']);
        return listKeys(deps, callerOf(request), {
          ...query,
          state: readChoice('state', state, KEY_STATES),
          usageDays: readCount('usageDays', usageDays, MAX_DAYS),
        });
      },
      workspaceOperation({
        operationId: 'listKeys',
        summary: 'List keys',
        description: `Admins see the keys of every Hub, a member those of his own. ${WHO_MAY}`,
        access: 'member',
        parameters: [
          ...pageParameters,
          filter('hubId', 'Only the keys of this Hub.'),
          choice('state', 'Only keys in this state.', KEY_STATES),
          filter('usageDays', 'Shows the use of each key on so many days, today included.', daysSchema),
        ],
        status: 200,
        response: Page(ApiKey),
        errors: [404],
      }),
    )
    .post(
      '',
      async ({ request, status }) => {
        const body = readFields(IssueKeyBody, await readJsonBody(request), { noun: 'a key' });
        const { hubId, name, scopes } = body;
        if (new Set(scopes).size < scopes.length) throw new AppError('invalid', 'scopes names one twice');
        return status(201, await issueKey(deps, callerOf(request), { hubId, name, scopes, ...expiryOf(body) }));
      },
      workspaceOperation({
        operationId: 'issueKey',
        summary: 'Issue a key',
        description: `The answer holds the key. It is shown this once, and cannot be had again. A Hub has at most 100 active keys unless the server is configured otherwise (\`HUB_MAX_KEYS_PER_HUB\`). ${WHO_MAY}`,
        access: 'member',
        body: { schema: IssueKeyBody },
        status: 201,
        response: IssuedKey,
        errors: [404, 409],
      }),
    )
    .get(
      '/:keyId',
      async ({ request, params }) => keyView(deps, await manageableKey(deps, callerOf(request), params.keyId)),
      workspaceOperation({
        operationId: 'showKey',
        summary: 'Show a key',
        access: 'member',
        parameters: [keyId],
        status: 200,
        response: ApiKey,
      }),
    )
    .get(
      '/:keyId/usage',
      ({ request, params }) => {
        const days = readQuery(request, ['days']).get('days') ?? undefined;
        return showKeyUsage(deps, callerOf(request), params.keyId, readCount('days', days, MAX_DAYS) ?? DEFAULT_DAYS);
      },
      workspaceOperation({
        operationId: 'showKeyUsage',
        summary: 'Show the use of a key by day',
        description: 'Each day in UTC, the oldest first, also those without use.',
        access: 'member',
        parameters: [
          keyId,
          filter(
            'days',
            'How many days, today included.',
            Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: DEFAULT_DAYS }),
          ),
        ],
        status: 200,
        response: KeyUsageByDay,
      }),
    )
    .get(
      '/:keyId/addresses',
      ({ request, params }) => {
        readQuery(request, []);
        return showKeyAddresses(deps, callerOf(request), params.keyId);
      },
      workspaceOperation({
        operationId: 'showKeyAddresses',
        summary: 'Show from where a key was used',
        description: 'The latest first; of each key the last 20 addresses are kept.',
        access: 'member',
        parameters: [keyId],
        status: 200,
        response: KeyAddresses,
        errors: [400],
      }),
    )
    .post(
      '/:keyId/rotation',
      async ({ request, params, status }) => {
        const expiry = await readExpiry(request);
        return status(201, await rotateKey(deps, callerOf(request), params.keyId, expiry));
      },
      workspaceOperation({
        operationId: 'rotateKey',
        summary: 'Rotate a key',
        access: 'member',
        description:
          'A new key with the same name, Hub and scopes. The old one works for exactly 24 hours more, or to its own earlier expiry.',
        parameters: [keyId],
        body: { schema: SucceedKeyBody, isOptional: true },
        status: 201,
        response: IssuedKey,
        errors: [409],
      }),
    )
    .post(
      '/:keyId/replacement',
      async ({ request, params, status }) => {
        const expiry = await readExpiry(request);
        return status(201, await replaceKey(deps, callerOf(request), params.keyId, expiry));
      },
      workspaceOperation({
        operationId: 'replaceKey',
        summary: 'Replace a leaked key',
        access: 'member',
        description: 'A new key with the same name, Hub and scopes. The old one is revoked in the same step.',
        parameters: [keyId],
        body: { schema: SucceedKeyBody, isOptional: true },
        status: 201,
        response: IssuedKey,
        errors: [409],
      }),
    )
    .post(
      '/:keyId/revocation',
      async ({ request, params }) => {
        await readNoFields(request, 'a revocation');
        return revokeKey(deps, callerOf(request), params.keyId);
      },
      workspaceOperation({
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        access: 'member',
        description: 'No request that begins after the answer is accepted. Revoking a revoked key changes nothing.',
        parameters: [keyId],
        status: 200,
        response: ApiKey,
        errors: [400, 413, 415],
      }),
    );
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
