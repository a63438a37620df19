import { Type } from '@sinclair/typebox';
import * as wire from '../index.ts';
import { choice, count, filter, type OperationDeclaration, page, patterned, withDefault } from './operation.ts';

const MAX_DAYS = 90;
const MEMBER_ACCESS = 'If only admins manage keys in this workspace, members get 403.';

const successor = {
  access: 'member',
  body: Type.Optional(wire.RotateKeyBody),
  noun: 'a rotation',
  status: 201,
  success: wire.IssuedKey,
  errors: [409],
} as const satisfies Partial<OperationDeclaration>;

export const keyOperations = {
  'GET /keys': {
    id: 'listKeys',
    summary: 'List keys',
    description: `Admins see the keys of every Hub, members those of their own Hubs. ${MEMBER_ACCESS}`,
    access: 'member',
    query: {
      ...page,
      hubId: filter('Only the keys of this Hub.'),
      state: choice('Only keys in this state.', wire.KEY_STATES),
      sha256: patterned(
        'Only the key with this SHA-256, to find a leaked key without sending it. `hint` is not unique.',
        '^[0-9a-f]{64}$',
        'must be 64 hexadecimal digits in lower case',
      ),
      usageDays: count('Adds the use of each key on this many days, including today.', MAX_DAYS),
    },
    success: wire.Page(wire.ApiKey),
    errors: [404],
  },
  'POST /keys': {
    id: 'issueKey',
    summary: 'Issue a key',
    description: `The response contains the key. It is shown only once and cannot be retrieved again. A Hub can have at most 100 active keys, unless the server is configured otherwise (\`HUB_MAX_KEYS_PER_HUB\`). ${MEMBER_ACCESS}`,
    access: 'member',
    body: wire.IssueKeyBody,
    noun: 'a key',
    status: 201,
    success: wire.IssuedKey,
    errors: [404, 409],
  },
  'GET /keys/{keyId}': { id: 'showKey', summary: 'Show a key', access: 'member', success: wire.ApiKey },
  'PATCH /keys/{keyId}': {
    id: 'changeKey',
    summary: 'Change the name, the description or the link of a key',
    description:
      '`null` removes a description or a link. Members of the Hub see both with each post of the key; a successor keeps them.',
    access: 'member',
    body: wire.ChangeKeyBody,
    noun: 'a key',
    success: wire.ApiKey,
  },
  'GET /keys/{keyId}/usage': {
    id: 'showKeyUsage',
    summary: 'Show the use of a key by day',
    description: 'Days are in UTC, oldest first, and include days without use.',
    access: 'member',
    query: { days: withDefault(count('The number of days, including today.', MAX_DAYS), 30) },
    success: wire.KeyUsageByDay,
  },
  'GET /keys/{keyId}/addresses': {
    id: 'showKeyAddresses',
    summary: 'List the addresses that used a key',
    description: 'Latest first. The server keeps the last 20 addresses of each key.',
    access: 'member',
    query: {},
    success: wire.KeyAddresses,
  },
  'POST /keys/{keyId}/rotation': {
    ...successor,
    id: 'rotateKey',
    summary: 'Rotate a key',
    description:
      'Issues a new key with the same name, Hub and scopes. The old key works for exactly 24 more hours, or until its own expiry if that is earlier.',
  },
  'POST /keys/{keyId}/replacement': {
    ...successor,
    id: 'replaceKey',
    summary: 'Replace a leaked key',
    description: 'Issues a new key with the same name, Hub and scopes, and revokes the old key in the same step.',
  },
  'POST /keys/{keyId}/revocation': {
    id: 'revokeKey',
    summary: 'Revoke a key',
    description: 'No request that begins after the response is accepted. Revoking a revoked key changes nothing.',
    access: 'member',
    noun: 'a revocation',
    success: wire.ApiKey,
  },
  'GET /keys/{keyId}/removals': {
    id: 'listRemovals',
    summary: 'List the removals of a key’s posts',
    query: page,
    success: wire.Page(wire.Removal),
  },
  'POST /keys/{keyId}/removals': {
    id: 'removePosts',
    summary: 'Remove the posts by a key',
    description:
      'Removes all posts by a key, or those in a time range. You can undo this for 30 days. The key keeps working: revoke or replace it if it leaked.',
    body: Type.Optional(wire.RemovePostsBody),
    noun: 'a removal',
    status: 201,
    repeated: 'A preview of how many posts would be removed. Nothing was changed.',
    success: wire.Removal,
  },
  'DELETE /keys/{keyId}/removals/{removalId}': {
    id: 'undoRemoval',
    summary: 'Undo a removal',
    description: 'Restores the removed posts, except those that were also deleted individually.',
    noun: 'an undo',
    success: wire.Removal,
    errors: [409],
  },
} as const satisfies Record<string, OperationDeclaration>;
