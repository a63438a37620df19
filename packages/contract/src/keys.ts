import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';
import { expiryFields, Id, Name, OrNull, oneExpiry, unset } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

/** A `Scope` of `scopes.ts`. */
export const ScopeSchema = Type.Union(
  [Type.Literal('messages:create'), Type.Literal('notes:create'), Type.Literal('todos:create')],
  { description: 'A kind of post that a key can create.' },
);

/**
 * `rotated`: the key has a successor and works until its overlap ends. `blocked`: the key is over its limit until
 * `blockedUntil`.
 */
export const KEY_STATES = ['active', 'rotated', 'blocked', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];
const KeyStateSchema = Type.Union([
  Type.Literal('active'),
  Type.Literal('rotated'),
  Type.Literal('blocked'),
  Type.Literal('expired'),
  Type.Literal('revoked'),
]);

export const ACTOR_KINDS = ['local', 'user', 'key', 'server'] as const;
export const Actor = Type.Object(
  {
    kind: Type.Union([Type.Literal('local'), Type.Literal('user'), Type.Literal('key'), Type.Literal('server')], {
      examples: ['user'],
    }),
    id: OrNull(Id('usr')),
    name: Type.String({ examples: ['Ada Lovelace'] }),
  },
  { additionalProperties: false, description: 'The user, the bot or the local admin that performed an action.' },
);
export type Actor = Static<typeof Actor>;

/** A key that has been used, as its posts show it to every member of its Hub. */
export const PostingKey = Type.Object(
  {
    id: Id('key'),
    name: Type.String({ examples: ['canary-watch'] }),
    hubId: Id('hub'),
    lastUsedAt: Timestamp('When it was last used, within a minute.'),
  },
  { additionalProperties: false },
);
export type PostingKey = Static<typeof PostingKey>;

/** The usage of a key on one day. */
export const KeyDay = Type.Object(
  {
    day: Type.String({ description: 'Date in UTC.', examples: ['2026-03-01'] }),
    requests: Type.Integer({ examples: [4] }),
    posts: Type.Integer({ examples: [4] }),
    blocks: Type.Integer({ description: 'The number of blocks that started.' }),
  },
  { additionalProperties: false },
);
export type KeyDay = Static<typeof KeyDay>;

/** The usage of a key by day, oldest first, with an entry for every requested day. */
export const KeyUsageByDay = Type.Object({ items: Type.Array(KeyDay) }, { additionalProperties: false });
export type KeyUsageByDay = Static<typeof KeyUsageByDay>;

/** The addresses from which a key was used, latest first. */
export const KeyAddresses = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          address: Type.String({ examples: ['192.0.2.1'] }),
          lastUsedAt: Timestamp('Its last request from there.'),
          requests: Type.Integer({ description: 'Requests from this address since it was first seen.', examples: [4] }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type KeyAddresses = Static<typeof KeyAddresses>;

const description = Name({
  maxLength: LIMITS.keyDescriptionCodePoints,
  examples: ['Watches the canaries of each release'],
});
const link = {
  ...Name({ maxLength: LIMITS.keyLinkCodePoints, examples: ['https://wiki.example.org/canary-watch'] }),
  description: 'An http or https address, such as that of a runbook.',
};

export const ApiKey = Type.Object(
  {
    id: Id('key'),
    hubId: Id('hub'),
    hubName: Type.String({ examples: ['Releases'] }),
    isHubDeleted: Type.Boolean({
      description:
        'Whether its Hub was deleted. Until the Hub is restored, requests get 404, whatever the state of the key.',
    }),
    name: Type.String({ examples: ['canary-watch'] }),
    description: OrNull(Type.String({ description: 'What it is for.' }), unset),
    link: OrNull(Type.String({ description: 'An http or https address, such as that of a runbook.' }), unset),
    hint: Type.String({
      description: 'Prefix and last four characters, the only part of a key that is ever shown.',
      examples: ['hub_live_…gLgo'],
    }),
    scopes: Type.Array(ScopeSchema),
    state: KeyStateSchema,
    generation: Type.Integer({
      description: '1 for a new key, one more with each rotation or replacement.',
      examples: [1],
    }),
    predecessorId: OrNull(Type.String()),
    successorId: OrNull(Type.String()),
    createdAt: Timestamp('When it was issued.'),
    createdBy: Actor,
    isIssuerGone: Type.Boolean({
      description: 'Whether the account of its issuer is disabled. The key keeps working.',
    }),
    expiresAt: OrNull(Timestamp('When it expires.', '2026-05-30T09:30:00.000Z')),
    overlapEndsAt: OrNull(Timestamp('Once rotated: when it stops working.'), unset),
    blockedUntil: OrNull(Timestamp('While blocked: when the block ends.'), unset),
    revokedAt: OrNull(Timestamp('When it was revoked.'), unset),
    lastUsedAt: OrNull(Timestamp('The last request that it authenticated, within a minute.'), unset),
    lastUsedAddress: OrNull(Type.String()),
    requestCount: Type.Integer({ description: 'Requests that it authenticated.' }),
    postCount: Type.Integer({ description: 'Items that it created.' }),
    unusedScopes: Type.Array(ScopeSchema, { description: 'Its scopes that have not been used yet.' }),
    usage: Type.Optional(
      Type.Array(KeyDay, { description: 'Its usage by day, oldest first. Only in lists that request it.' }),
    ),
  },
  { additionalProperties: false, description: 'An API key, without the key.' },
);
export type ApiKey = Static<typeof ApiKey>;

export const IssuedKey = Type.Composite(
  [
    ApiKey,
    Type.Object({
      key: Type.String({
        description: 'The key. It is shown only this once.',
        examples: ['hub_live_ExampleOfTheDocumentationNotReal062KgLgo'],
      }),
    }),
  ],
  { additionalProperties: false },
);
export type IssuedKey = Static<typeof IssuedKey>;

export const IssueKeyBody = Type.Object(
  {
    hubId: Id('hub', { description: 'The Hub that it posts to. It cannot be changed.' }),
    name: Name({ maxLength: LIMITS.keyNameCodePoints, examples: ['canary-watch'] }),
    scopes: Type.Array(ScopeSchema, { minItems: 1, uniqueItems: true, description: 'At least one.' }),
    description: Type.Optional(description),
    link: Type.Optional(link),
    ...expiryFields,
  },
  { additionalProperties: false, ...oneExpiry },
);
export type IssueKeyBody = Static<typeof IssueKeyBody>;

export const ChangeKeyBody = Type.Object(
  {
    name: Type.Optional(Name({ maxLength: LIMITS.keyNameCodePoints, examples: ['canary-watch'] })),
    description: Type.Optional(OrNull(description, { examples: description.examples as string[] })),
    link: Type.Optional(OrNull(link, { examples: link.examples as string[] })),
  },
  { additionalProperties: false },
);
export type ChangeKeyBody = Static<typeof ChangeKeyBody>;

/** Rotation and replacement. Without either field, the new key has the lifetime of the old one, counted from now. */
export const RotateKeyBody = Type.Object(expiryFields, { additionalProperties: false, ...oneExpiry });
export type RotateKeyBody = Static<typeof RotateKeyBody>;

/** The source of a post by a key. */
export const ItemOrigin = Type.Object(
  {
    itemId: Id('msg'),
    keyId: Id('key'),
    keyDescription: OrNull(Type.String({ description: 'What its key is for.' }), unset),
    keyLink: OrNull(Type.String({ description: 'An http or https address, such as that of a runbook.' }), unset),
    address: Type.String({ examples: ['192.0.2.1'] }),
    requestId: Id('req'),
  },
  { additionalProperties: false },
);
export type ItemOrigin = Static<typeof ItemOrigin>;

export const RemovePostsBody = Type.Object(
  {
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Remove posts from this time on.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Remove posts before this time.' })),
    exceptIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: LIMITS.pageItems, description: 'Posts in the range that stay.' }),
    ),
    isPreview: Type.Optional(Type.Boolean({ description: 'Only count the posts, without removing them.' })),
  },
  {
    additionalProperties: false,
    description: 'Without a time range: all posts by the key.',
    examples: [
      { from: '2026-03-01T09:30:00Z', isPreview: true },
      { from: '2026-03-01T09:30:00Z', exceptIds: ['msg_01KJMBS8106Z5QS12QGDH7FEWP'] },
    ],
  },
);
export type RemovePostsBody = Static<typeof RemovePostsBody>;

export const Removal = Type.Object(
  {
    id: OrNull(Id('rmv', { description: '`null` in a preview.' })),
    keyId: Id('key'),
    from: OrNull(Timestamp('Posts from this time on were removed.')),
    to: OrNull(Timestamp('Posts before this time were removed.'), unset),
    count: Type.Integer({ description: 'The number of removed posts.', examples: [3] }),
    removedAt: OrNull(Timestamp('When they were removed.', '2026-03-01T09:45:00.000Z')),
    undoneAt: OrNull(Timestamp('When the removal was undone.'), unset),
  },
  { additionalProperties: false },
);
export type Removal = Static<typeof Removal>;
