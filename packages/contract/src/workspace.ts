import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';
import { ScopeSchema } from './scopes.ts';
import { Timestamp } from './timestamp.ts';

/** `T` or `null`, written as a union so that the OpenAPI document stays valid 3.1. */
const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One page of a list, newest first. `next` goes into `?before=` for the page after this one. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next: OrNull(Type.String()) }, { additionalProperties: false });

/**
 * On one line, and without what steers a terminal or the direction of text: names stand in lists, logs and shells, where
 * one must not pass for another. No C0, DEL, C1, line or paragraph separator, nor bidirectional control.
 */
const Name = (options: { maxLength: number; examples: string[] }) =>
  Type.String({
    description: 'Plain text on one line. White space around it is dropped.',
    pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$`,
    ...options,
  });

// ---- Hubs ----------------------------------------------------------------------------------------------------

export const Hub = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    conversationId: Type.String(),
    notesBucketId: Type.String(),
    todosBucketId: Type.String(),
    createdAt: Timestamp('When it was created.'),
    deletedAt: OrNull(Timestamp('When it was deleted; it can be restored.')),
  },
  { additionalProperties: false, description: 'A Hub: one conversation, one notes bucket, one to-do bucket.' },
);
export type Hub = Static<typeof Hub>;

const hubName = Name({ maxLength: LIMITS.hubNameCodePoints, examples: ['Releases'] });
export const CreateHubBody = Type.Object({ name: hubName }, { additionalProperties: false });
export type CreateHubBody = Static<typeof CreateHubBody>;
export const RenameHubBody = Type.Object({ name: hubName }, { additionalProperties: false });
export type RenameHubBody = Static<typeof RenameHubBody>;

// ---- Keys ----------------------------------------------------------------------------------------------------

/** `rotated`: it has a successor and still works until its overlap ends. `blocked`: over the limit until `blockedUntil`. */
export const KEY_STATES = ['active', 'rotated', 'blocked', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];
const KeyStateSchema = Type.Union([
  Type.Literal('active'),
  Type.Literal('rotated'),
  Type.Literal('blocked'),
  Type.Literal('expired'),
  Type.Literal('revoked'),
]);

export const Actor = Type.Object(
  {
    kind: Type.Union([Type.Literal('local'), Type.Literal('person'), Type.Literal('key'), Type.Literal('server')]),
    id: OrNull(Type.String()),
    name: Type.String(),
  },
  { additionalProperties: false, description: 'Who did something.' },
);
export type Actor = Static<typeof Actor>;

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    hubId: Type.String(),
    hubName: Type.String(),
    name: Type.String(),
    hint: Type.String({
      description: 'Prefix and last four characters: all that is ever shown of a key.',
      examples: ['hub_live_…4kQz'],
    }),
    scopes: Type.Array(ScopeSchema),
    state: KeyStateSchema,
    generation: Type.Integer({ description: 'One more than that of the key that it replaced; 1 for a first key.' }),
    predecessorId: OrNull(Type.String()),
    successorId: OrNull(Type.String()),
    createdAt: Timestamp('When it was issued.'),
    createdBy: Actor,
    expiresAt: OrNull(Timestamp('It is valid while now is before this.')),
    overlapEndsAt: OrNull(Timestamp('Once rotated: until when it works beside its successor.')),
    blockedUntil: OrNull(Timestamp('While blocked: when it is let in again.')),
    revokedAt: OrNull(Timestamp('When it was revoked.')),
    lastUsedAt: OrNull(Timestamp('The last request that it authenticated, within a minute.')),
    lastUsedAddress: OrNull(Type.String()),
    requestCount: Type.Integer({ description: 'Requests that it authenticated.' }),
    postCount: Type.Integer({ description: 'Items that it created.' }),
  },
  { additionalProperties: false, description: 'An API key, without the key.' },
);
export type ApiKey = Static<typeof ApiKey>;

export const IssuedKey = Type.Composite(
  [ApiKey, Type.Object({ key: Type.String({ description: 'The key. This is the only time that it is shown.' }) })],
  { additionalProperties: false },
);
export type IssuedKey = Static<typeof IssuedKey>;

const expiry = {
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Valid while now is before this. Not together with `lifetimeSeconds`.',
    }),
  ),
  lifetimeSeconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3_155_760_000, description: 'The same, counted from now; at most 100 years.' }),
  ),
};

export const IssueKeyBody = Type.Object(
  {
    hubId: Type.String({ description: 'The Hub that it posts into, for ever.' }),
    name: Name({ maxLength: LIMITS.keyNameCodePoints, examples: ['canary-watch'] }),
    scopes: Type.Array(ScopeSchema, { minItems: 1, description: 'At least one.' }),
    ...expiry,
  },
  { additionalProperties: false },
);
export type IssueKeyBody = Static<typeof IssueKeyBody>;

/** Rotation and replacement: without either field, the same lifetime as the old key's, counted from now. */
export const SucceedKeyBody = Type.Object(expiry, { additionalProperties: false });
export type SucceedKeyBody = Static<typeof SucceedKeyBody>;

// ---- Audit and status ------------------------------------------------------------------------------------------

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: Timestamp('When.'),
    actor: Actor,
    address: OrNull(Type.String()),
    action: Type.String({ examples: ['key.issued'] }),
    hubId: OrNull(Type.String()),
    targetId: OrNull(Type.String()),
    targetName: OrNull(Type.String()),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: false },
);
export type AuditEntry = Static<typeof AuditEntry>;

/** `GET /api/v1`: what anyone may know. */
export const ServerInfo = Type.Object(
  {
    name: Type.Literal('hub'),
    version: Type.String(),
    baseUrl: Type.String({ description: 'The address of the web pages and of the API.' }),
  },
  { additionalProperties: false },
);
export type ServerInfo = Static<typeof ServerInfo>;

/** `GET /api/v1/status`, for admins. */
export const ServerStatus = Type.Object(
  {
    version: Type.String(),
    baseUrl: Type.String(),
    startedAt: Timestamp('When this process began to serve.'),
    uptimeSeconds: Type.Integer(),
    dataDir: Type.String(),
    databaseBytes: Type.Integer(),
    walBytes: Type.Integer(),
    hubs: Type.Integer({ description: 'Hubs that are not deleted.' }),
    keys: Type.Integer({ description: 'Keys that can post now.' }),
    items: Type.Integer({ description: 'Messages, notes and to-dos.' }),
  },
  { additionalProperties: false },
);
export type ServerStatus = Static<typeof ServerStatus>;

/**
 * The workspace API of this version. All of it but `GET /api/v1` needs an admin (the local socket).
 *
 * | | |
 * |---|---|
 * | `GET /api/v1` | `ServerInfo` |
 * | `GET /api/v1/status` | `ServerStatus` |
 * | `GET /api/v1/hubs?state=live\|deleted\|all` | `Page(Hub)`, default `live` |
 * | `POST /api/v1/hubs` | `CreateHubBody` → 201 `Hub` |
 * | `GET /api/v1/hubs/:hubId` | `Hub` |
 * | `PATCH /api/v1/hubs/:hubId` | `RenameHubBody` → `Hub` |
 * | `DELETE /api/v1/hubs/:hubId` | `Hub` |
 * | `POST /api/v1/hubs/:hubId/restoration` | `Hub` |
 * | `GET /api/v1/keys?hubId=&state=` | `Page(ApiKey)` |
 * | `POST /api/v1/keys` | `IssueKeyBody` → 201 `IssuedKey` |
 * | `GET /api/v1/keys/:keyId` | `ApiKey` |
 * | `POST /api/v1/keys/:keyId/rotation` | `SucceedKeyBody` → 201 `IssuedKey` |
 * | `POST /api/v1/keys/:keyId/replacement` | `SucceedKeyBody` → 201 `IssuedKey` |
 * | `POST /api/v1/keys/:keyId/revocation` | → `ApiKey` |
 * | `GET /api/v1/audit?hubId=` | `Page(AuditEntry)` |
 */
export const WORKSPACE_API_PATH = '/api/v1';
export const PUBLIC_API_PATH = '/api/public/v1';
