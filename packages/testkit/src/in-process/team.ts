import type { Item, Message, Note, Todo } from '@hub/contract';
import { type EventRecord, MAX_READ_EVENTS } from '../../../../apps/api/src/for-tests.ts';
import type { PostKind } from '../http.ts';
import { createdOf } from './public-caller.ts';
import { post, startTestHub, type TestHub } from './test-hub.ts';
import { addMember, signedIn, type UserCaller, uploadFile } from './users.ts';

/** Starts a server with a Hub, a key and two members. */
export async function startTeam() {
  const hub = await startTestHub();
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  return { ...team, hub, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}
export type StartedTeam = Awaited<ReturnType<typeof startTeam>>;

/** Creates a Hub, a key and two members on an existing server. */
export async function teamOn(hub: TestHub, [adaName, bobName]: readonly [string, string]): Promise<Team> {
  return teamIn(hub, { ada: await signedIn(hub, { name: adaName }), bob: await signedIn(hub, { name: bobName }) });
}

/** Creates a Hub with a key, of which these two users are members. */
export async function teamIn(hub: TestHub, { ada, bob }: { ada: UserCaller; bob: UserCaller }) {
  const { id: keyId, key, hubId } = await hub.admin.issueKey();
  for (const { user } of [ada, bob]) await addMember(hub, hubId, user);
  const write = <T extends Item>(caller: UserCaller, path: string, body: object): Promise<T> =>
    caller.call<T>('POST', `/hubs/${hubId}/${path}`, body);

  return {
    hubId,
    keyId,
    key,
    ada,
    bob,
    message: (caller: UserCaller, text: string) => write<Message>(caller, 'messages', { text }),
    note: (caller: UserCaller, body: object) => write<Note>(caller, 'notes', body),
    todo: (caller: UserCaller, body: object) => write<Todo>(caller, 'todos', body),
    reply: (caller: UserCaller, to: { id: string }, text: string) =>
      caller.call<Message>('POST', `/items/${to.id}/replies`, { text }),
    upload: (caller: UserCaller, name: string, content: string | Uint8Array<ArrayBuffer>) =>
      uploadFile(caller, hubId, name, content),
    /** Posts with the key, as a program does. */
    post: async <T extends Item = Message>(kind: PostKind, body: object): Promise<T> => {
      const { data } = await createdOf(await post(hub, kind, key, body));
      // Not `call`: Ada may have left the Hub.
      return (await ada.json<T>('GET', `/items/${data.id}`)).body;
    },
    show: async <T extends Item = Message>({ id }: { id: string }, caller: UserCaller = ada): Promise<T> =>
      (await caller.json<T>('GET', `/items/${id}`)).body,
    messages: (query: object = {}) => ada.request('GET /hubs/{hubId}/messages', { hubId, query }),
    notes: () => ada.request('GET /hubs/{hubId}/notes', { hubId }),
    todos: () => ada.request('GET /hubs/{hubId}/todos', { hubId }),
    /** Returns the names of the events in the Hub after this number, in order. */
    events: async (after = 0): Promise<string[]> => (await recordsOf(hub, hubId, after)).map(({ event }) => event),
    seq: async (): Promise<number> => (await hub.store.events.span(hubId))?.seq ?? 0,
  };
}

export type Team = Awaited<ReturnType<typeof teamIn>>;

export function recordsOf(hub: TestHub, hubId: string, after = 0): Promise<EventRecord[]> {
  return hub.store.events.read(hubId, after, MAX_READ_EVENTS);
}
