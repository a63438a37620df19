import {
  ApiKey,
  IssuedKey,
  IssueKeyBody,
  KEY_STATES,
  KeyAddresses,
  KeyUsageByDay,
  Page,
  RotateKeyBody,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { parseDateTime } from '../core/time.ts';
import { readJsonBody, readOptionalJsonBody } from '../http/read-body.ts';
import { readChoice, readCount, readListQuery, readQuery } from '../http/read-query.ts';
import { readFields, readNoFields } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { choice, filter, idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { replaceKey, revokeKey, rotateKey } from './change-key.ts';
import type { ExpiryChoice } from './issue-key.ts';
import { issueKey } from './issue-key.ts';
import { manageableKey } from './key-rights.ts';
import { keyView, listKeys, showKeyAddresses, showKeyUsage } from './show-keys.ts';

const MAX_DAYS = 90;
const DEFAULT_DAYS = 30;

const MEMBER_ACCESS = 'If only admins manage keys in this workspace, members get 403.';
const SHA256 = /^[0-9a-f]{64}$/;
const daysSchema = Type.Integer({ minimum: 1, maximum: MAX_DAYS });
const keyId = idInPath('keyId', 'The id of the key (not its secret).', 'key');

const succession = {
  access: 'member',
  parameters: [keyId],
  body: { schema: RotateKeyBody, isOptional: true },
  status: 201,
  response: IssuedKey,
  errors: [409],
} as const;

export function keysRoutes(deps: Deps) {
  return new Elysia({ name: 'keys', prefix: `${WORKSPACE_API_PATH}/keys` })
    .get(
      '',
      ({ request }) => {
        const names = ['hubId', 'state', 'usageDays', 'sha256'] as const;
        const { state, usageDays, sha256, ...query } = readListQuery(request, names);
        return listKeys(deps, callerOf(request), {
          ...query,
          tokenHash: readSha256(sha256),
          state: readChoice('state', state, KEY_STATES),
          usageDays: readCount('usageDays', usageDays, MAX_DAYS),
        });
      },
      workspaceOperation({
        operationId: 'listKeys',
        summary: 'List keys',
        description: `Admins see the keys of every Hub, members those of their own Hubs. ${MEMBER_ACCESS}`,
        access: 'member',
        parameters: [
          ...pageParameters,
          filter('hubId', 'Only the keys of this Hub.'),
          choice('state', 'Only keys in this state.', KEY_STATES),
          filter(
            'sha256',
            'Only the key with this SHA-256, to find a leaked key without sending it. `hint` is not unique.',
            Type.String({ pattern: SHA256.source }),
          ),
          filter('usageDays', 'Adds the use of each key on this many days, including today.', daysSchema),
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
        if (new Set(scopes).size < scopes.length) throw new AppError('invalid', 'scopes lists a scope twice');
        return status(201, await issueKey(deps, callerOf(request), { hubId, name, scopes, ...expiryOf(body) }));
      },
      workspaceOperation({
        operationId: 'issueKey',
        summary: 'Issue a key',
        description: `The response contains the key. It is shown only once and cannot be retrieved again. A Hub can have at most 100 active keys, unless the server is configured otherwise (\`HUB_MAX_KEYS_PER_HUB\`). ${MEMBER_ACCESS}`,
        access: 'member',
        body: { schema: IssueKeyBody },
        status: 201,
        response: IssuedKey,
        errors: [404, 409],
      }),
    )
    .get(
      '/:keyId',
      async ({ request, params }) => keyView(deps, await manageableKey(deps.store, callerOf(request), params.keyId)),
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
        description: 'Days are in UTC, oldest first, and include days without use.',
        access: 'member',
        parameters: [
          keyId,
          filter('days', 'The number of days, including today.', { ...daysSchema, default: DEFAULT_DAYS }),
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
        summary: 'List the addresses that used a key',
        description: 'Latest first. The server keeps the last 20 addresses of each key.',
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
        ...succession,
        operationId: 'rotateKey',
        summary: 'Rotate a key',
        description:
          'Issues a new key with the same name, Hub and scopes. The old key works for exactly 24 more hours, or until its own expiry if that is earlier.',
      }),
    )
    .post(
      '/:keyId/replacement',
      async ({ request, params, status }) => {
        const expiry = await readExpiry(request);
        return status(201, await replaceKey(deps, callerOf(request), params.keyId, expiry));
      },
      workspaceOperation({
        ...succession,
        operationId: 'replaceKey',
        summary: 'Replace a leaked key',
        description: 'Issues a new key with the same name, Hub and scopes, and revokes the old key in the same step.',
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
        description: 'No request that begins after the response is accepted. Revoking a revoked key changes nothing.',
        parameters: [keyId],
        status: 200,
        response: ApiKey,
        errors: [400, 413, 415],
      }),
    );
}

function readSha256(value: string | undefined): Buffer | undefined {
  if (value === undefined) return undefined;
  if (SHA256.test(value)) return Buffer.from(value, 'hex');
  throw new AppError('invalid', 'sha256 must be 64 hexadecimal digits in lower case');
}

async function readExpiry(request: Request): Promise<ExpiryChoice> {
  const body = await readOptionalJsonBody(request);
  return expiryOf(readFields(RotateKeyBody, body, { noun: 'a rotation' }));
}

function expiryOf(body: { expiresAt?: string; lifetimeSeconds?: number }): ExpiryChoice {
  return {
    expiresAt: body.expiresAt === undefined ? undefined : (parseDateTime(body.expiresAt) ?? undefined),
    lifetimeSeconds: body.lifetimeSeconds,
  };
}
