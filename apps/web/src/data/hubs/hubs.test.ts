import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test';
import type { EventFrame, Hub, ServerFrame, UnreadState } from '@hub/contract';
import { event, message } from '../../../test/sample-items.ts';
import { ItemStore } from '../items/item-store.ts';
import { CatchingUp, HubList } from './hub-list.ts';
import { Hubs } from './hubs.ts';
import { readStateOf } from './read-state.ts';

const HUB = 'hub_1';
/** Long enough for deferred requests to have been sent. */
const SOON_MS = 1_000;

/** A fake WebSocket. */
class Socket extends EventTarget {
  static last: Socket;
  readonly readyState = 1;
  constructor() {
    super();
    Socket.last = this;
  }
  send(): void {}
  close(): void {}
  emit(...frames: ServerFrame[]): void {
    for (const frame of frames) this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
  }
}

const requests: { what: string; response: PromiseWithResolvers<Response> }[] = [];
const { WebSocket, location } = globalThis;

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { WebSocket: Socket, location: { origin: 'https://hub.test' } });
  spyOn(globalThis, 'fetch').mockImplementation(((to: string, { method }: RequestInit) => {
    const response = Promise.withResolvers<Response>();
    requests.push({ what: `${method} ${to}`.replace(/\/api\/v1|\?.*$/g, ''), response });
    return response.promise;
  }) as unknown as typeof fetch);
});

afterEach(async () => {
  // Requests left pending here would make other test files wait.
  while (requests[0]) await next(requests[0].what).fail();
  jest.restoreAllMocks();
  jest.useRealTimers();
  Object.assign(globalThis, { WebSocket, location });
});

async function settle(_done?: unknown): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

/** Returns the oldest pending request that matches. */
function next(what: string) {
  const index = requests.findIndex((each) => each.what === what);
  const [found] = index < 0 ? [] : requests.splice(index, 1);
  if (!found) throw new Error(`No pending request: ${what}`);
  const { resolve, reject } = found.response;
  return {
    respond: (body: unknown, status = 200) => settle(resolve(Response.json(body, { status }))),
    fail: () => settle(reject(new TypeError('Failed to fetch'))),
  };
}

/**
 * The unread state as of an event: the numbers of unread messages and to-dos, and the event up to which each was read.
 */
function unread(seq: number, [message, todo]: [number, number], [messages, todos]: [number, number] = [0, 0]) {
  const state = readStateOf({ message: messages, note: 0, todo: todos }, { message, note: 0, todo });
  return { hubId: HUB, seq, ...state, readVersion: 0, unreadMentionIds: [] } satisfies UnreadState;
}

const listed = { id: HUB, name: 'Hub', isMember: true, deletedAt: null };
const list = (state: UnreadState) => ({ items: [{ ...listed, ...state }], next: null });

/** Loads the Hubs of a user and opens the connection. */
async function connect(state: UnreadState) {
  const hubs = new Hubs({ items: new ItemStore(), myId: 'per_me', onSignedOut: () => {} });
  const loaded = hubs.load();
  await next('GET /hubs').respond(list(state));
  await loaded;
  const open = () => {
    Socket.last.dispatchEvent(new Event('open'));
    Socket.last.emit({ type: 'subscribed', hubId: HUB, seq: state.seq, epoch: 'one' });
    jest.advanceTimersByTime(SOON_MS);
  };
  open();
  await next('GET /hubs').respond(list(state));
  const left = () => [hubs.find(HUB)?.unreadCounts?.message, hubs.find(HUB)?.unreadCounts?.todo];
  const cut = () => Socket.last.dispatchEvent(new CloseEvent('close', { code: 1006 }));
  return { hubs, left, cut, open, emit: (...frames: ServerFrame[]) => Socket.last.emit(...frames) };
}

test('takes the state of a restored backup from the response to any later request', async () => {
  const { hubs, left } = await connect(unread(900, [0, 0]));
  const loads = [hubs.load(HUB), hubs.load('hub_2')];
  const [first, second] = [next('GET /hubs'), next('GET /hubs')];
  await second.respond(list(unread(10, [3, 1])));
  await first.respond(list(unread(10, [3, 1])));
  await Promise.all(loads);
  expect([hubs.find(HUB)?.seq, left()]).toEqual([10, [3, 1]]);
});

const posted = (seq: number): EventFrame => event('created', seq, message(seq));

test('marks all kinds as read, although one of them is', async () => {
  const { hubs, left } = await connect(unread(3, [0, 1], [3, 0]));
  const marked = hubs.markRead(HUB, 3);
  expect(left()).toEqual([0, 0]);
  await next(`PUT /hubs/${HUB}/read`).respond(unread(3, [0, 0], [3, 3]));
  jest.advanceTimersByTime(SOON_MS);
  await marked;
});

test('applies reads from another device, even while this device is sending a read mark', async () => {
  const { hubs, left, emit } = await connect(unread(3, [2, 1]));
  const marked = hubs.markRead(HUB, 3, 'message');
  emit({ type: 'unread', ...unread(3, [2, 0], [0, 3]) });
  expect(left()).toEqual([0, 0]);
  await next(`PUT /hubs/${HUB}/read`).respond(unread(3, [0, 0], [3, 3]));
  expect(left()).toEqual([0, 0]);
  emit({ type: 'unread', ...unread(3, [0, 0], [3, 3]) });
  jest.advanceTimersByTime(SOON_MS);
  await marked;
  expect([left(), requests]).toEqual([[0, 0], []]);
});

test('marks messages as unread, and no earlier mark undoes it, whether it is under way or still to be sent', async () => {
  const { hubs, left, emit } = await connect(unread(3, [3, 0]));
  void hubs.markRead(HUB, 3, 'message');
  const read = next(`PUT /hubs/${HUB}/read`);
  emit(posted(4));
  void hubs.markRead(HUB, 4, 'message');
  expect(left()).toEqual([0, 0]);
  const marked = hubs.markUnread(HUB, 1);
  await settle();
  // The server might receive it before the mark under way.
  expect(requests).toEqual([]);
  await read.respond(unread(4, [1, 0], [3, 0]));
  await next(`PUT /hubs/${HUB}/read`).respond({ ...unread(4, [3, 0], [1, 0]), readVersion: 1 });
  await marked;
  expect(left()).toEqual([3, 0]);
  emit({ type: 'unread', ...unread(4, [1, 0], [3, 0]) });
  jest.advanceTimersByTime(SOON_MS);
  await settle();
  expect([left(), requests]).toEqual([[3, 0], []]);
  // Reading on counts from the new marker.
  void hubs.markRead(HUB, 4, 'message');
  expect(left()).toEqual([0, 0]);
  await next(`PUT /hubs/${HUB}/read`).respond({ ...unread(4, [0, 0], [4, 0]), readVersion: 1 });
  expect(left()).toEqual([0, 0]);
});

test('counts posts that arrive while a read mark is being sent, but not those already read', async () => {
  const { hubs, left, emit } = await connect(unread(3, [3, 0]));
  void hubs.markRead(HUB, 2, 'message');
  const mark = next(`PUT /hubs/${HUB}/read`);
  emit(posted(4));
  await mark.respond(unread(3, [1, 0], [2, 0]));
  emit({ type: 'unread', ...unread(4, [2, 0], [2, 0]) });
  expect(left()).toEqual([2, 0]);
});

test('reloads the list while counts are unknown, until it reflects the newest event', async () => {
  const { left, emit } = await connect(unread(3, [3, 2]));
  const pruned: EventFrame = { type: 'event', hubId: HUB, seq: 4, event: 'items.pruned', data: { before: 'x' } };
  emit(pruned);
  jest.advanceTimersByTime(SOON_MS);
  const first = next('GET /hubs');
  emit(posted(5));
  await first.respond(list(unread(4, [1, 2])));
  jest.advanceTimersByTime(SOON_MS);
  await next('GET /hubs').respond(list(unread(5, [2, 2])));
  expect(left()).toEqual([2, 2]);
  jest.advanceTimersByTime(SOON_MS);
  expect(requests).toEqual([]);
});

test('does not count an event twice if a list already reflects it, even after a rename', async () => {
  const { hubs, left, emit } = await connect(unread(3, [1, 0]));
  const loaded = hubs.load();
  await next('GET /hubs').respond(list(unread(5, [2, 0])));
  await loaded;
  const data = { name: 'Hub', topic: null, retentionDays: null };
  emit({ type: 'event', hubId: HUB, seq: 4, event: 'hub.changed', data }, posted(5));
  expect([left(), hubs.find(HUB)?.seq]).toEqual([[2, 0], 5]);
});

test('sends read marks that were made while the server was down, once it is back', async () => {
  const { hubs, left, cut, open } = await connect(unread(3, [3, 0]));
  cut();
  const marked = hubs.markRead(HUB, 3);
  await next(`PUT /hubs/${HUB}/read`).fail();
  jest.advanceTimersByTime(60_000);
  expect([left(), requests.filter(({ what }) => what.startsWith('PUT'))]).toEqual([[0, 0], []]);
  hubs.reconnect();
  open();
  await settle();
  await next(`PUT /hubs/${HUB}/read`).respond(unread(3, [0, 0], [3, 3]));
  jest.advanceTimersByTime(SOON_MS);
  await marked;
  expect(left()).toEqual([0, 0]);
});

test('rejects when the server responds to a read mark with a 403, and does not send the mark again', async () => {
  const { hubs } = await connect(unread(3, [3, 0]));
  const marked = hubs.markRead(HUB, 3).catch(({ message: text }) => text);
  await next(`PUT /hubs/${HUB}/read`).respond({ message: "You're not a member of this Hub." }, 403);
  expect(await marked).toBe("You're not a member of this Hub.");
  jest.advanceTimersByTime(60_000);
  expect(requests.filter(({ what }) => what.startsWith('PUT'))).toEqual([]);
});

test('Hubs are in the order of their names, and numbers in names of their values', () => {
  const list = new HubList();
  const names = ['shop 10', 'shop 2', 'Área', 'Shop 1', 'beta'];
  const hubs = names.map((name) => ({ id: name, name, isMember: true, deletedAt: null }) as Hub);
  list.take(hubs, { former: [], resetIds: new Set() });
  expect(list.mine.value.map(({ name }) => name)).toEqual(['Área', 'beta', 'Shop 1', 'shop 2', 'shop 10']);
});

test('the missed posts of all Hubs are counted and reported once, and again with the next connection', () => {
  const reported: number[] = [];
  const catching = new CatchingUp((posts) => reported.push(posts));
  const take = (hubId: string, event: string) => catching.take({ type: 'event', hubId, seq: 1, event } as EventFrame);
  catching.begin(['a']);
  take('a', 'message.created');
  catching.stop();
  catching.done('a');
  catching.begin(['a', 'b']);
  for (const event of ['message.created', 'message.changed']) take('a', event);
  take('b', 'todo.created');
  for (const hubId of ['a', 'b', 'b']) catching.done(hubId);
  expect(reported).toEqual([2]);
});
