import { type Static, Type } from '@sinclair/typebox';
import { Actor } from './keys.ts';
import { LIMITS } from './limits.ts';
import { Id, OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

export const AuditEntry = Type.Object(
  {
    id: Id('aud'),
    at: Timestamp('When the action was performed.'),
    actor: Actor,
    address: OrNull(Type.String({ examples: ['192.0.2.1'] })),
    action: Type.String({ examples: ['key.issued'] }),
    hubId: OrNull(Id('hub')),
    targetId: OrNull(Id('key')),
    targetName: OrNull(Type.String({ examples: ['canary-watch'] })),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: false },
);
export type AuditEntry = Static<typeof AuditEntry>;

const version = Type.String({ examples: ['1.0.0'] });
const BASE_URL = 'https://hub.example.org';

/** `GET /api/v1`: public information about the server. */
export const ServerInfo = Type.Object(
  {
    name: Type.Literal('hub'),
    version,
    baseUrl: Type.String({ description: 'The URL of the web app and the API.', examples: [BASE_URL] }),
  },
  { additionalProperties: false },
);
export type ServerInfo = Static<typeof ServerInfo>;

export const Backup = Type.Object(
  {
    id: Id('bak'),
    takenAt: Timestamp('When it was taken. It contains everything committed before this time.'),
    bytes: Type.Integer({ examples: [385_024] }),
    sha256: Type.String({
      description: 'SHA-256 of the file, in hexadecimal.',
      examples: ['44aff4aaacb5f03052567560823c33e995848cfe51791c7d5fbbc417c15a6c38'],
    }),
    durationSeconds: Type.Number({ description: 'Seconds until it was confirmed.', examples: [20] }),
  },
  { additionalProperties: false, description: 'A backup whose receipt was confirmed.' },
);
export type Backup = Static<typeof Backup>;

/** `GET /api/v1/status`, for admins. */
const NodeStatus = Type.Object(
  {
    id: Type.String({
      description: 'The ID of this node. It changes with each start.',
      examples: ['node_01KA3T8Q6V5M0G7ZB4W2N9RXEC'],
    }),
    isLeader: Type.Boolean({ description: 'Whether this node sends notifications and prunes.' }),
    clockDifferenceMs: OrNull(
      Type.Integer({
        description: 'How many milliseconds the clock of this node is ahead of that of the database.',
        examples: [4],
      }),
    ),
    nodes: Type.Integer({ description: 'Nodes connected to the database.', examples: [2] }),
    eventLag: Type.Integer({
      description:
        'Committed events that this node has not published to live views yet, in the Hub that is furthest behind.',
      examples: [0],
    }),
    standbys: Type.Array(
      Type.Object(
        {
          name: Type.String({ examples: ['standby1'] }),
          isSynchronous: OrNull(Type.Boolean()),
          lagBytes: OrNull(Type.Integer({ description: 'How much of the log the standby has not replayed yet.' })),
        },
        { additionalProperties: false },
      ),
      { description: 'Standbys of the database, with null for facts that the account of the node may not see.' },
    ),
  },
  { additionalProperties: false },
);
export type NodeStatus = Static<typeof NodeStatus>;

/** `GET /api/v1/nodes`: what each node says of itself. */
export const NodeList = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['node_01KA3T8Q6V5M0G7ZB4W2N9RXEC'] }),
          host: Type.String({ description: 'The name of its machine.', examples: ['node-1'] }),
          version,
          schema: Type.Integer({
            description: 'The number of migrations that it knows. Nodes of different releases may differ.',
            examples: [3],
          }),
          startedAt: Timestamp('When the process started.'),
          isLeader: Type.Boolean({ description: 'Whether it sends notifications and prunes.' }),
          clockDifferenceMs: Type.Integer({
            description: 'By how much its clock is ahead of that of the database, in milliseconds.',
            examples: [-3],
          }),
          liveConnections: Type.Integer({ examples: [12] }),
        },
        { additionalProperties: false },
      ),
      { description: 'In the order in which they started.' },
    ),
    missing: Type.Array(Type.String(), {
      description: 'IDs of nodes that are connected to the database, and did not respond within a second.',
    }),
  },
  { additionalProperties: false },
);
export type NodeList = Static<typeof NodeList>;

export const ServerStatus = Type.Object(
  {
    version,
    baseUrl: Type.String({ examples: [BASE_URL] }),
    plainHttpHost: OrNull(
      Type.String({
        description: '`HUB_HOST`, if others can reach the server there over plain HTTP and read the traffic.',
      }),
    ),
    certificate: OrNull(
      Type.Object(
        {
          expiresAt: Timestamp('When it expires.'),
          problem: OrNull(Type.String({ description: 'Why clients reject it, or soon will.' })),
        },
        { additionalProperties: false, description: 'The certificate of the server; `null`: it has none.' },
      ),
    ),
    startedAt: Timestamp('When the server process started.'),
    uptimeSeconds: Type.Integer({ examples: [1_840] }),
    dataDir: Type.String({
      description: 'Absolute path of the data directory on the server.',
      examples: ['/var/lib/hub'],
    }),
    storage: Type.Union([Type.Literal('sqlite'), Type.Literal('postgresql')]),
    node: OrNull(NodeStatus),
    databaseBytes: Type.Integer({ examples: [417_792] }),
    walBytes: Type.Integer({ examples: [131_072] }),
    fileBytes: Type.Integer({ description: 'The size of all files of items.', examples: [48_213] }),
    maxFileBytes: Type.Integer({ description: '`HUB_FILES_MAX_BYTES`.', examples: [10_737_418_240] }),
    hubs: Type.Integer({ description: 'Hubs that are not deleted.', examples: [2] }),
    keys: Type.Integer({ description: 'Keys that can post now.', examples: [1] }),
    items: Type.Integer({ description: 'Messages, notes and to-dos.', examples: [8] }),
    provider: OrNull(
      Type.Object(
        {
          issuer: Type.String({ examples: ['https://id.example.org'] }),
          redirectUrl: Type.String({
            description: 'The address to register at the provider.',
            examples: ['https://hub.example.org/sign-in/callback'],
          }),
          problem: OrNull(Type.String({ description: 'Why it cannot be looked up.', examples: ['fetch failed'] })),
          clockDifferenceMs: OrNull(
            Type.Integer({
              description: 'By how much the clock of the server is ahead of that of the provider, within a second.',
              examples: [-400],
            }),
          ),
        },
        { additionalProperties: false, description: 'The OpenID Connect provider; `null`: there is none.' },
      ),
    ),
    mail: OrNull(
      Type.Object(
        {
          server: Type.String({ description: 'Host and port.', examples: ['mail.example.org:587'] }),
          from: Type.String({ examples: ['hub@example.org'] }),
          waiting: Type.Integer({ description: 'Mails that wait to be sent.', examples: [0] }),
          failed: Type.Integer({ description: 'Mails that were given up within a week.', examples: [0] }),
          problem: OrNull(
            Type.String({ description: 'Why the last of them was not sent.', examples: ['550 No such user'] }),
          ),
        },
        { additionalProperties: false, description: 'How mail is sent; `null`: it is not.' },
      ),
    ),
    lastBackup: OrNull(Backup),
    pushProblem: OrNull(
      Type.Object(
        { message: Type.String({ examples: ['push.example.net: 403 BadJwtToken'] }), at: Timestamp('When it failed.') },
        {
          additionalProperties: false,
          description: 'Why this node could not send the last push notification; `null`: no problem.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ServerStatus = Static<typeof ServerStatus>;

export const SendTestMailBody = Type.Object(
  { to: Type.String({ maxLength: LIMITS.emailCodePoints, examples: ['ada@example.org'] }) },
  { additionalProperties: false },
);
export type SendTestMailBody = Static<typeof SendTestMailBody>;

export const SentTestMail = Type.Object(
  { problem: OrNull(Type.String({ description: 'Why it was not sent.', examples: ['550 No such user'] })) },
  { additionalProperties: false },
);
export type SentTestMail = Static<typeof SentTestMail>;
