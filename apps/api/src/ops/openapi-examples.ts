/**
 * What the OpenAPI document shows as examples. `openapi-examples.test.ts` sends each request and provokes each refusal, so
 * that all of them are what the server takes and says.
 */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

const AT = '2026-03-01T09:30:00.000Z';
const HUB_ID = 'hub_01KJMBQDE0EEZDVQTAEDNWQ632';
const KEY_ID = 'key_01KJMBQDE0EEZDVQTAEDNWQ638';
const SUCCESSOR_ID = 'key_01KJMBS3Q8P0XK5R2W7D9ZTA4C';

const hub = {
  id: HUB_ID,
  name: 'Releases',
  conversationId: 'cnv_01KJMBQDE0EEZDVQTAEDNWQ633',
  notesBucketId: 'bkt_01KJMBQDE0EEZDVQTAEDNWQ634',
  todosBucketId: 'bkt_01KJMBQDE0EEZDVQTAEDNWQ635',
  createdAt: AT,
  deletedAt: null,
};

const localAdmin = { kind: 'local', id: null, name: 'local admin' };

const key = {
  id: KEY_ID,
  hubId: HUB_ID,
  hubName: 'Releases',
  name: 'canary-watch',
  hint: 'hub_live_…4kQz',
  scopes: ['messages:create', 'todos:create'],
  state: 'active',
  generation: 1,
  predecessorId: null,
  successorId: null,
  createdAt: AT,
  createdBy: localAdmin,
  expiresAt: '2026-05-30T09:30:00.000Z',
  overlapEndsAt: null,
  blockedUntil: null,
  revokedAt: null,
  lastUsedAt: '2026-03-02T06:00:12.480Z',
  lastUsedAddress: '192.0.2.7',
  requestCount: 12,
  postCount: 11,
};
const unused = { lastUsedAt: null, lastUsedAddress: null, requestCount: 0, postCount: 0 };
/** Of the right form but for its checksum: no server takes it, and no secret scanner reports it. */
const secret = 'hub_live_ThisIsAnExampleAndNoKeyOfAnyHubAtAll0000';
const successor = { ...key, ...unused, id: SUCCESSOR_ID, generation: 2, predecessorId: KEY_ID, key: secret };

const created = (data: object) => one({ success: true, data: { ...data, createdAt: AT } });

function one(value: unknown, summary = 'Example'): Record<string, Example> {
  return { example: { summary, value } };
}

export interface OperationExamples {
  readonly request?: Record<string, Example>;
  readonly answer: Record<string, Example>;
}

/** By `operationId`. */
export const operationExamples: Readonly<Record<string, OperationExamples>> = {
  createMessage: {
    request: {
      text: { summary: 'Markdown', value: { text: '**Deploy finished** in 42 s' } },
      blocks: {
        summary: 'Editor.js blocks',
        value: {
          blocks: [
            { type: 'header', data: { text: 'Release 2.4', level: 2 } },
            { type: 'paragraph', data: { text: '<b>Deployed</b> in 42 s' } },
            { type: 'list', data: { style: 'unordered', items: ['Faster start', 'Smaller image'] } },
          ],
        },
      },
    },
    answer: created({ id: 'msg_01KJMBR9V2Q4T6Y8A0C2E4G6J8', conversationId: hub.conversationId }),
  },
  createNote: {
    request: {
      note: {
        summary: 'A note',
        value: { title: 'Release 2.4', content: '## Changes\n\n- Faster start\n- Smaller image' },
      },
    },
    answer: created({ id: 'note_01KJMBR9V2Q4T6Y8A0C2E4G6JA', bucketId: hub.notesBucketId }),
  },
  createTodo: {
    request: {
      smallest: { summary: 'A title alone', value: { title: 'Renew the certificate' } },
      complete: {
        summary: 'All fields',
        value: {
          title: 'Renew the certificate',
          content: 'It ends on **15 March**.',
          dueDate: '2026-03-14T17:00:00+01:00',
          priority: 'HIGH',
        },
      },
    },
    answer: created({ id: 'todo_01KJMBR9V2Q4T6Y8A0C2E4G6JC', bucketId: hub.todosBucketId }),
  },

  showServer: { answer: one({ name: 'hub', version: '0.1.0', baseUrl: 'http://127.0.0.1:3000' }) },
  showStatus: {
    answer: one({
      version: '0.1.0',
      baseUrl: 'http://127.0.0.1:3000',
      startedAt: AT,
      uptimeSeconds: 86_400,
      dataDir: './data',
      databaseBytes: 1_048_576,
      walBytes: 32_992,
      hubs: 3,
      keys: 7,
      items: 1_204,
    }),
  },
  listHubs: { answer: one({ items: [hub], next: null }) },
  createHub: { request: one({ name: 'Releases' }), answer: one(hub) },
  showHub: { answer: one(hub) },
  renameHub: { request: one({ name: 'Shipping' }), answer: one({ ...hub, name: 'Shipping' }) },
  deleteHub: { answer: one({ ...hub, deletedAt: '2026-03-02T08:00:00.000Z' }) },
  restoreHub: { answer: one(hub) },
  listKeys: { answer: one({ items: [key], next: KEY_ID }) },
  issueKey: {
    request: one({
      hubId: HUB_ID,
      name: 'canary-watch',
      scopes: ['messages:create', 'todos:create'],
      lifetimeSeconds: 7_776_000,
    }),
    answer: one({ ...key, ...unused, key: secret }),
  },
  showKey: { answer: one(key) },
  rotateKey: {
    request: {
      same: { summary: "The old key's lifetime again", value: {} },
      other: { summary: 'Another lifetime', value: { lifetimeSeconds: 7_776_000 } },
    },
    answer: one(successor),
  },
  replaceKey: {
    request: { same: { summary: "The old key's lifetime again", value: {} } },
    answer: one(successor),
  },
  revokeKey: { answer: one({ ...key, state: 'revoked', revokedAt: '2026-03-02T08:00:00.000Z' }) },
  listAuditEntries: {
    answer: one({
      items: [
        {
          id: 'aud_01KJMBQDE0EEZDVQTAEDNWQ639',
          at: AT,
          actor: localAdmin,
          address: 'local',
          action: 'key.issued',
          hubId: HUB_ID,
          targetId: KEY_ID,
          targetName: 'canary-watch',
          details: { scopes: ['messages:create', 'todos:create'], expiresAt: '2026-05-30T09:30:00.000Z' },
        },
      ],
      next: null,
    }),
  },
};
