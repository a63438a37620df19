import type { Block, Hub, IssuedKey, Item, Message, Note, Todo, User } from '../../packages/contract/src/index.ts';
import { type Admin, adminOver } from '../prove/admin.ts';
import { type HubName, type KeyName, type UserName, WORKSPACE } from './workspace.ts';

type Blocks = readonly { type: string; data: object }[];
interface TodoFields {
  title: string;
  content?: string;
  dueDate?: string;
  priority?: NonNullable<Todo['priority']>;
}

/** What people and programs do in the demo, each over the real API and as themselves. */
export interface Setup {
  /** A program posts a message. Resolves with its id. */
  post: (key: KeyName, says: string | Blocks) => Promise<string>;
  note: (key: KeyName, note: { title?: string; content: string }) => Promise<string>;
  todo: (key: KeyName, todo: TodoFields) => Promise<string>;
  /** A person writes into a Hub. */
  say: (user: UserName, hub: HubName, text: string) => Promise<string>;
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
  /** A program gets another key, with which it posts from now on; the one before works for a day more. */
  rotate: (user: UserName, key: KeyName) => Promise<void>;
  editNote: (user: UserName, noteId: string, content: string) => Promise<void>;
  /** All that is there now was read. */
  markRead: (user: UserName, hub: HubName) => Promise<void>;
}

/** Makes the people, the Hubs and the keys, and signs everybody in. */
export async function openSetup(adminSocket: string, url: string): Promise<Setup> {
  const admin = adminOver(adminSocket);
  await admin.call('PATCH', '/workspace', { name: WORKSPACE.name });
  const personIds = await makeUsers(admin);
  const hubIds = await makeHubs(admin, personIds);
  const cookies = await signAllIn(url);
  const by = <T>(user: UserName, method: string, path: string, body?: object): Promise<T> =>
    ask<T>(`${url}/api/v1${path}`, method, { cookie: get(cookies, user), origin: url }, body);
  const keys = new Map<KeyName, IssuedKey>();
  for (const { name, hub, scopes, by: issuer, days } of WORKSPACE.keys) {
    const end = days === null ? {} : { expiresAt: dayAt(days, 0) };
    keys.set(name, await by<IssuedKey>(issuer, 'POST', '/keys', { hubId: get(hubIds, hub), name, scopes, ...end }));
  }
  const program = async (key: KeyName, kind: string, body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${get(keys, key).key}` };
    const { data } = await ask<{ data: { id: string } }>(`${url}/api/public/v1/${kind}`, 'POST', headers, body);
    return data.id;
  };
  const made = async (item: Promise<Item>): Promise<string> => (await item).id;

  return {
    post: (key, says) =>
      program(key, 'messages', typeof says === 'string' ? { text: says } : { blocks: says as Block[] }),
    note: (key, note) => program(key, 'notes', note),
    todo: (key, todo) => program(key, 'todos', todo),
    say: (user, hub, text) => made(by<Message>(user, 'POST', `/hubs/${get(hubIds, hub)}/messages`, { text })),
    reply: (user, to, text) => made(by<Message>(user, 'POST', `/messages/${to}/replies`, { text })),
    react: async (emoji, to, ...users) => {
      for (const user of users) await by(user, 'PUT', `/messages/${to}/reactions/${encodeURIComponent(emoji)}`);
    },
    writeNote: (user, hub, note) => made(by<Note>(user, 'POST', `/hubs/${get(hubIds, hub)}/notes`, note)),
    writeTodo: (user, hub, todo, assignee) =>
      made(
        by<Todo>(user, 'POST', `/hubs/${get(hubIds, hub)}/todos`, {
          ...todo,
          ...(assignee === undefined ? {} : { assigneeId: get(personIds, assignee) }),
        }),
      ),
    convert: (user, messageId, to, title) =>
      made(
        by<Item>(user, 'POST', `/messages/${messageId}/conversion`, {
          to,
          ...(title === undefined ? {} : { title }),
        }),
      ),
    changeTodo: async (user, todoId, { assignee, ...change }) => {
      const assigneeId = assignee === undefined ? {} : { assigneeId: get(personIds, assignee) };
      await by(user, 'PATCH', `/todos/${todoId}`, { ...change, ...assigneeId });
    },
    rotate: async (user, key) => {
      keys.set(key, await by<IssuedKey>(user, 'POST', `/keys/${get(keys, key).id}/rotation`, {}));
    },
    editNote: async (user, noteId, content) => {
      await by(user, 'PATCH', `/notes/${noteId}`, { content });
    },
    markRead: async (user, hub) => {
      const { seq } = await by<Hub>(user, 'GET', `/hubs/${get(hubIds, hub)}`);
      await by(user, 'PUT', `/hubs/${get(hubIds, hub)}/read`, { seq });
    },
  };
}

async function makeUsers(admin: Admin): Promise<Map<UserName, string>> {
  const ids = new Map<UserName, string>();
  for (const { key, ...user } of WORKSPACE.users) ids.set(key, (await admin.call<User>('POST', '/people', user)).id);
  return ids;
}

async function makeHubs(admin: Admin, users: ReadonlyMap<UserName, string>): Promise<Map<HubName, string>> {
  const ids = new Map<HubName, string>();
  for (const { key, name, members } of WORKSPACE.hubs) {
    const { id } = await admin.createHub(name);
    ids.set(key, id);
    for (const member of members) await admin.call('POST', `/hubs/${id}/members`, { personId: get(users, member) });
  }
  return ids;
}

async function signAllIn(url: string): Promise<Map<UserName, string>> {
  const cookies = new Map<UserName, string>();
  for (const { key, email, password } of WORKSPACE.users) {
    const response = await fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email, password }),
    });
    if (!response.ok) throw new Error(`${email} got not in: ${response.status} ${await response.text()}`);
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

async function ask<T>(url: string, method: string, headers: Record<string, string>, body?: object): Promise<T> {
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
  if (value === undefined) throw new Error(`There is no ${key} in the demo`);
  return value;
}

/** Several lines as one text. */
export function lines(...texts: readonly string[]): string {
  return texts.join('\n');
}

/** An instant so many days from today, at an hour of the day where this runs. */
export function dayAt(days: number, hour: number, minute = 0): string {
  const today = new Date();
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, hour, minute).toISOString();
}

/** An instant that is still to come today: this hour, or a later one if that is past. */
export function laterToday(hour: number): string {
  const [wanted, now] = [new Date(dayAt(0, hour)), new Date()];
  const soon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + 2);
  const last = new Date(dayAt(0, 23, 59));
  return new Date(Math.min(Math.max(wanted.getTime(), soon.getTime()), last.getTime())).toISOString();
}
