import type { Block, IssuedKey, Item, Todo } from '@hub/contract';
import { type Admin, type PostKind, type ServerProcess, signIn } from '@hub/testkit';
import { type HubName, type KeyName, type UserName, WORKSPACE } from './workspace.ts';

type Blocks = readonly { type: string; data: object }[];
interface TodoFields {
  title: string;
  content?: string;
  dueDate?: string;
  priority?: NonNullable<Todo['priority']>;
}

/** The actions of users and programs in the demo. Each uses the real API and its own credentials. */
export interface Setup {
  /** Posts a message with an API key. Resolves with its id. */
  post: (key: KeyName, content: string | Blocks) => Promise<string>;
  note: (key: KeyName, note: { title?: string; content: string }) => Promise<string>;
  todo: (key: KeyName, todo: TodoFields) => Promise<string>;
  /** Posts a message as a user. */
  writeMessage: (user: UserName, hub: HubName, text: string) => Promise<string>;
  reply: (user: UserName, to: string, text: string) => Promise<string>;
  react: (emoji: string, to: string, ...users: UserName[]) => Promise<void>;
  writeNote: (user: UserName, hub: HubName, note: { title?: string; content: string }) => Promise<string>;
  writeTodo: (user: UserName, hub: HubName, todo: TodoFields, assignee?: UserName) => Promise<string>;
  convert: (user: UserName, messageId: string, to: 'todo' | 'note', title?: string) => Promise<string>;
  changeTodo: (
    user: UserName,
    todoId: string,
    change: Partial<TodoFields> & { status?: Todo['status']; assignee?: UserName },
  ) => Promise<void>;
  /**
   * Rotates a program's key; the program posts with the new key from then on. The old one works for another 24 hours.
   */
  rotate: (user: UserName, key: KeyName) => Promise<void>;
  editNote: (user: UserName, noteId: string, content: string) => Promise<void>;
  /** Marks everything in a Hub as read. */
  markRead: (user: UserName, hub: HubName) => Promise<void>;
}

/** Creates the users, the Hubs and the keys, and signs in every user. */
export async function openSetup({ admin }: Pick<ServerProcess, 'admin'>, url: string): Promise<Setup> {
  await admin.request('PATCH /workspace', { body: { name: WORKSPACE.name } });
  const userIds = await createUsers(admin);
  const hubIds = await createHubs(admin, userIds);
  const sessions = new Map<UserName, Admin['request']>();
  for (const { key, ...user } of WORKSPACE.users) {
    sessions.set(key, (await signIn({ admin, url }, { id: get(userIds, key), ...user })).request);
  }
  const as = (user: UserName) => get(sessions, user);
  const keys = new Map<KeyName, IssuedKey>();
  for (const { name, hub, scopes, issuer, days } of WORKSPACE.keys) {
    const expiry = days === null ? {} : { expiresAt: dayAt(days, 0) };
    const body = { hubId: get(hubIds, hub), name, scopes: [...scopes], ...expiry };
    keys.set(name, await as(issuer)('POST /keys', { body }));
  }
  const postWith = async (key: KeyName, kind: PostKind, body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${get(keys, key).key}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/public/v1/${kind}`, init);
    if (!response.ok) throw new Error(`POST ${kind}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: { id: string } }).data.id;
  };
  const created = async (item: Promise<Item>): Promise<string> => (await item).id;

  return {
    post: (key, content) =>
      postWith(key, 'messages', typeof content === 'string' ? { text: content } : { blocks: content as Block[] }),
    note: (key, note) => postWith(key, 'notes', note),
    todo: (key, todo) => postWith(key, 'todos', todo),
    writeMessage: (user, hub, text) =>
      created(as(user)('POST /hubs/{hubId}/messages', { hubId: get(hubIds, hub), body: { text } })),
    reply: (user, itemId, text) => created(as(user)('POST /items/{itemId}/replies', { itemId, body: { text } })),
    react: async (emoji, messageId, ...users) => {
      for (const user of users) await as(user)('PUT /messages/{messageId}/reactions/{emoji}', { messageId, emoji });
    },
    writeNote: (user, hub, body) => created(as(user)('POST /hubs/{hubId}/notes', { hubId: get(hubIds, hub), body })),
    writeTodo: (user, hub, todo, assignee) => {
      const body = { ...todo, ...(assignee && { assigneeId: get(userIds, assignee) }) };
      return created(as(user)('POST /hubs/{hubId}/todos', { hubId: get(hubIds, hub), body }));
    },
    convert: (user, messageId, to, title) =>
      created(as(user)('POST /messages/{messageId}/conversion', { messageId, body: { to, ...(title && { title }) } })),
    changeTodo: async (user, todoId, { assignee, ...change }) => {
      const body = { ...change, ...(assignee && { assigneeId: get(userIds, assignee) }) };
      await as(user)('PATCH /todos/{todoId}', { todoId, body });
    },
    rotate: async (user, key) => {
      keys.set(key, await as(user)('POST /keys/{keyId}/rotation', { keyId: get(keys, key).id }));
    },
    editNote: async (user, noteId, content) => {
      await as(user)('PATCH /notes/{noteId}', { noteId, body: { content } });
    },
    markRead: async (user, hub) => {
      const hubId = get(hubIds, hub);
      const { seq } = await as(user)('GET /hubs/{hubId}', { hubId });
      await as(user)('PUT /hubs/{hubId}/read', { hubId, body: { seq } });
    },
  };
}

async function createUsers(admin: Admin): Promise<Map<UserName, string>> {
  const ids = new Map<UserName, string>();
  for (const { key, ...user } of WORKSPACE.users) ids.set(key, (await admin.request('POST /users', { body: user })).id);
  return ids;
}

async function createHubs(admin: Admin, users: ReadonlyMap<UserName, string>): Promise<Map<HubName, string>> {
  const ids = new Map<HubName, string>();
  for (const { key, name, members } of WORKSPACE.hubs) {
    const { id } = await admin.createHub(name);
    ids.set(key, id);
    for (const member of members)
      await admin.request('POST /hubs/{hubId}/members', { hubId: id, body: { userId: get(users, member) } });
  }
  return ids;
}

function get<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`${key} is not in the demo`);
  return value;
}

/** Joins lines into one string. */
export function lines(...texts: readonly string[]): string {
  return texts.join('\n');
}

/** Returns the instant that is `days` from today at a local time of day. */
export function dayAt(days: number, hour: number, minute = 0): string {
  const today = new Date();
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, hour, minute).toISOString();
}

/** Returns an instant later today: at `hour`, local time, or about two hours from now if that has passed. */
export function dueToday(hour: number): string {
  const [wanted, now] = [new Date(dayAt(0, hour)), new Date()];
  const soon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + 2);
  const last = new Date(dayAt(0, 23, 59));
  return new Date(Math.min(Math.max(wanted.getTime(), soon.getTime()), last.getTime())).toISOString();
}
