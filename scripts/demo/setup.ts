import type { Block, Hub, IssuedKey, Item, Message, Note, Todo, User } from '@hub/contract';
import type { Admin, ServerProcess } from '@hub/testkit';
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
  await admin.call('PATCH', '/workspace', { name: WORKSPACE.name });
  const userIds = await createUsers(admin);
  const hubIds = await createHubs(admin, userIds);
  const cookies = await signInAll(url);
  const callAs = <T>(user: UserName, method: string, path: string, body?: object): Promise<T> =>
    request<T>(`${url}/api/v1${path}`, method, { cookie: get(cookies, user), origin: url }, body);
  const keys = new Map<KeyName, IssuedKey>();
  for (const { name, hub, scopes, issuer, days } of WORKSPACE.keys) {
    const expiry = days === null ? {} : { expiresAt: dayAt(days, 0) };
    keys.set(
      name,
      await callAs<IssuedKey>(issuer, 'POST', '/keys', { hubId: get(hubIds, hub), name, scopes, ...expiry }),
    );
  }
  const postWith = async (key: KeyName, kind: string, body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${get(keys, key).key}` };
    const { data } = await request<{ data: { id: string } }>(`${url}/api/public/v1/${kind}`, 'POST', headers, body);
    return data.id;
  };
  const created = async (item: Promise<Item>): Promise<string> => (await item).id;

  return {
    post: (key, content) =>
      postWith(key, 'messages', typeof content === 'string' ? { text: content } : { blocks: content as Block[] }),
    note: (key, note) => postWith(key, 'notes', note),
    todo: (key, todo) => postWith(key, 'todos', todo),
    writeMessage: (user, hub, text) =>
      created(callAs<Message>(user, 'POST', `/hubs/${get(hubIds, hub)}/messages`, { text })),
    reply: (user, to, text) => created(callAs<Message>(user, 'POST', `/messages/${to}/replies`, { text })),
    react: async (emoji, to, ...users) => {
      for (const user of users) await callAs(user, 'PUT', `/messages/${to}/reactions/${encodeURIComponent(emoji)}`);
    },
    writeNote: (user, hub, note) => created(callAs<Note>(user, 'POST', `/hubs/${get(hubIds, hub)}/notes`, note)),
    writeTodo: (user, hub, todo, assignee) =>
      created(
        callAs<Todo>(user, 'POST', `/hubs/${get(hubIds, hub)}/todos`, {
          ...todo,
          ...(assignee === undefined ? {} : { assigneeId: get(userIds, assignee) }),
        }),
      ),
    convert: (user, messageId, to, title) =>
      created(
        callAs<Item>(user, 'POST', `/messages/${messageId}/conversion`, {
          to,
          ...(title === undefined ? {} : { title }),
        }),
      ),
    changeTodo: async (user, todoId, { assignee, ...change }) => {
      const assigneeId = assignee === undefined ? {} : { assigneeId: get(userIds, assignee) };
      await callAs(user, 'PATCH', `/todos/${todoId}`, { ...change, ...assigneeId });
    },
    rotate: async (user, key) => {
      keys.set(key, await callAs<IssuedKey>(user, 'POST', `/keys/${get(keys, key).id}/rotation`, {}));
    },
    editNote: async (user, noteId, content) => {
      await callAs(user, 'PATCH', `/notes/${noteId}`, { content });
    },
    markRead: async (user, hub) => {
      const { seq } = await callAs<Hub>(user, 'GET', `/hubs/${get(hubIds, hub)}`);
      await callAs(user, 'PUT', `/hubs/${get(hubIds, hub)}/read`, { seq });
    },
  };
}

async function createUsers(admin: Admin): Promise<Map<UserName, string>> {
  const ids = new Map<UserName, string>();
  for (const { key, ...user } of WORKSPACE.users) ids.set(key, (await admin.call<User>('POST', '/users', user)).id);
  return ids;
}

async function createHubs(admin: Admin, users: ReadonlyMap<UserName, string>): Promise<Map<HubName, string>> {
  const ids = new Map<HubName, string>();
  for (const { key, name, members } of WORKSPACE.hubs) {
    const { id } = await admin.createHub(name);
    ids.set(key, id);
    for (const member of members) await admin.call('POST', `/hubs/${id}/members`, { userId: get(users, member) });
  }
  return ids;
}

async function signInAll(url: string): Promise<Map<UserName, string>> {
  const cookies = new Map<UserName, string>();
  for (const { key, email, password } of WORKSPACE.users) {
    const response = await fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email, password }),
    });
    if (!response.ok) throw new Error(`Failed to sign in as ${email}: ${response.status} ${await response.text()}`);
    cookies.set(
      key,
      response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    );
  }
  return cookies;
}

async function request<T>(url: string, method: string, headers: Record<string, string>, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
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
