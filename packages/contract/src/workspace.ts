import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';
import { expiryFields, Name, OrNull, oneExpiry } from './schema-parts.ts';
import { ScopeSchema } from './scopes.ts';
import { Timestamp } from './timestamp.ts';

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

export const ACTOR_KINDS = ['local', 'person', 'key', 'server'] as const;
export const Actor = Type.Object(
  {
    kind: Type.Union([Type.Literal('local'), Type.Literal('person'), Type.Literal('key'), Type.Literal('server')]),
    id: OrNull(Type.String()),
    name: Type.String(),
  },
  { additionalProperties: false, description: 'Who did something.' },
);
export type Actor = Static<typeof Actor>;

/** What a key did on one day. */
export const KeyDay = Type.Object(
  {
    day: Type.String({ description: 'In UTC.', examples: ['2026-03-01'] }),
    requests: Type.Integer(),
    posts: Type.Integer(),
    blocks: Type.Integer({ description: 'How often a block began.' }),
  },
  { additionalProperties: false },
);
export type KeyDay = Static<typeof KeyDay>;

/** The use of a key by day, the oldest first, with every day that was asked for. */
export const KeyUsageByDay = Type.Object({ items: Type.Array(KeyDay) }, { additionalProperties: false });
export type KeyUsageByDay = Static<typeof KeyUsageByDay>;

/** From where a key was used, the latest first. */
export const KeyAddresses = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          address: Type.String(),
          lastUsedAt: Timestamp('Its last request from there.'),
          requests: Type.Integer({ description: 'Requests from there, since it was first seen there.' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type KeyAddresses = Static<typeof KeyAddresses>;

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    hubId: Type.String(),
    hubName: Type.String(),
    isHubDeleted: Type.Boolean({
      description: 'Whether its Hub was deleted: until that is restored, whatever the state, it is answered with 404.',
    }),
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
    isIssuerGone: Type.Boolean({
      description: 'Whether the account of the person who issued it was disabled since. The key goes on working.',
    }),
    expiresAt: OrNull(Timestamp('It is valid while now is before this.')),
    overlapEndsAt: OrNull(Timestamp('Once rotated: until when it works beside its successor.')),
    blockedUntil: OrNull(Timestamp('While blocked: when it is let in again.')),
    revokedAt: OrNull(Timestamp('When it was revoked.')),
    lastUsedAt: OrNull(Timestamp('The last request that it authenticated, within a minute.')),
    lastUsedAddress: OrNull(Type.String()),
    requestCount: Type.Integer({ description: 'Requests that it authenticated.' }),
    postCount: Type.Integer({ description: 'Items that it created.' }),
    unusedScopes: Type.Array(ScopeSchema, {
      description: 'Those of its scopes with which it has created nothing so far.',
    }),
    usage: Type.Optional(
      Type.Array(KeyDay, { description: 'Its use by day, the oldest first: in lists that were asked for it.' }),
    ),
  },
  { additionalProperties: false, description: 'An API key, without the key.' },
);
export type ApiKey = Static<typeof ApiKey>;

export const IssuedKey = Type.Composite(
  [ApiKey, Type.Object({ key: Type.String({ description: 'The key. This is the only time that it is shown.' }) })],
  { additionalProperties: false },
);
export type IssuedKey = Static<typeof IssuedKey>;

export const IssueKeyBody = Type.Object(
  {
    hubId: Type.String({ description: 'The Hub that it posts into, for ever.' }),
    name: Name({ maxLength: LIMITS.keyNameCodePoints, examples: ['canary-watch'] }),
    scopes: Type.Array(ScopeSchema, { minItems: 1, uniqueItems: true, description: 'At least one.' }),
    ...expiryFields,
  },
  { additionalProperties: false, ...oneExpiry },
);
export type IssueKeyBody = Static<typeof IssueKeyBody>;

/** Rotation and replacement: without either field, the same lifetime as the old key's, counted from now. */
export const SucceedKeyBody = Type.Object(expiryFields, { additionalProperties: false, ...oneExpiry });
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

export const Backup = Type.Object(
  {
    id: Type.String(),
    takenAt: Timestamp('It holds all that was committed by then.'),
    bytes: Type.Integer(),
    sha256: Type.String({ description: 'Of the file, in hexadecimal.' }),
    durationSeconds: Type.Number({ description: 'Until it was confirmed.' }),
  },
  { additionalProperties: false, description: 'A backup that somebody has checked and keeps.' },
);
export type Backup = Static<typeof Backup>;

/** `GET /api/v1/status`, for admins. */
export const ServerStatus = Type.Object(
  {
    version: Type.String(),
    baseUrl: Type.String(),
    plainHttpHost: OrNull(
      Type.String({
        description: '`HUB_HOST`, if others reach the server there over plain HTTP and can read what passes.',
      }),
    ),
    startedAt: Timestamp('When this process began to serve.'),
    uptimeSeconds: Type.Integer(),
    dataDir: Type.String({ description: 'Absolute path of the data directory on the machine of the server.' }),
    databaseBytes: Type.Integer(),
    walBytes: Type.Integer(),
    hubs: Type.Integer({ description: 'Hubs that are not deleted.' }),
    keys: Type.Integer({ description: 'Keys that can post now.' }),
    items: Type.Integer({ description: 'Messages, notes and to-dos.' }),
    lastBackup: OrNull(Backup),
  },
  { additionalProperties: false },
);
export type ServerStatus = Static<typeof ServerStatus>;

/**
 * Hubs, keys and the audit log in the workspace API, and who may ask: everybody, admins (owners and the local admin too), or
 * the members of the Hub. `/api/openapi.json` has every operation, also of people, items and live views.
 *
 * | | who | |
 * |---|---|---|
 * | `GET /api/v1` | everybody | `ServerInfo` |
 * | `GET /api/v1/status` | admins | `ServerStatus` |
 * | `POST /api/v1/backups` | admins | a SQLite file, streamed |
 * | `POST /api/v1/backups/:backupId/confirmation` | admins | → `Backup` |
 * | `GET /api/v1/hubs?state=live\|deleted\|all&membership=mine&include=counts` | members: their own, live | `Page(Hub)`, default `live` |
 * | `POST /api/v1/hubs` | admins | `CreateHubBody` → 201 `Hub` |
 * | `GET /api/v1/hubs/:hubId` | admins, members | `Hub` |
 * | `PATCH /api/v1/hubs/:hubId` | admins | `ChangeHubBody` → `Hub` |
 * | `DELETE /api/v1/hubs/:hubId` | admins | `Hub` |
 * | `POST /api/v1/hubs/:hubId/restoration` | admins | `Hub` |
 * | `GET /api/v1/hubs/:hubId/export` | members, the local admin | `HubExport`, streamed |
 * | `GET /api/v1/hubs/:hubId/counts` | members | `HubCounts` |
 * | `GET /api/v1/hubs/:hubId/retention-preview?retentionDays=` | admins | `RetentionPreview` |
 * | `PUT /api/v1/hubs/:hubId/read` | members | `MarkReadBody` → `ReadMark` |
 * | `GET /api/v1/hubs/:hubId/members` | admins, members | `Page(Member)` |
 * | `POST /api/v1/hubs/:hubId/members` | admins | `AddMemberBody` → 201 `Member` |
 * | `DELETE /api/v1/hubs/:hubId/members/:personId` | admins; a member himself | `Member` |
 * | `GET /api/v1/keys?hubId=&state=&usageDays=` | admins, members | `Page(ApiKey)` |
 * | `POST /api/v1/keys` | admins, members | `IssueKeyBody` → 201 `IssuedKey` |
 * | `GET /api/v1/keys/:keyId/addresses` | admins, members | `KeyAddresses` |
 * | `GET /api/v1/keys/:keyId` | admins, members | `ApiKey` |
 * | `GET /api/v1/keys/:keyId/usage?days=` | admins, members | `KeyUsageByDay` |
 * | `POST /api/v1/keys/:keyId/rotation` | admins, members | `SucceedKeyBody` → 201 `IssuedKey` |
 * | `POST /api/v1/keys/:keyId/replacement` | admins, members | `SucceedKeyBody` → 201 `IssuedKey` |
 * | `POST /api/v1/keys/:keyId/revocation` | admins, members | → `ApiKey` |
 * | `GET /api/v1/audit?hubId=&targetId=&actorKind=&actorId=&action=&from=&to=` | admins | `Page(AuditEntry)` |
 */
export const WORKSPACE_API_PATH = '/api/v1';
export const PUBLIC_API_PATH = '/api/public/v1';
