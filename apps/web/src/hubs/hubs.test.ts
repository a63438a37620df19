import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test';
import type { EventFrame, Hub, ServerFrame, UnreadState } from '@hub/contract';
import { ItemStore } from '../items/item-store.ts';
import { event, message } from '../items/testing/sample-items.ts';
import { Hubs } from './hubs.ts';
import { readStateOf } from './read-state.ts';

const HUB = 'hub_1';
/** What is to be asked for soon has been by then. */
const SOON_MS = 1_000;

/** The connection, in the hands of the test. */
class Socket extends EventTarget {
  static last: Socket;
  readonly readyState = 1;
  constructor() {
    super();
    Socket.last = this;
  }
  send(): void {}
  close(): void {}
  say(...frames: ServerFrame[]): void {
    for (const frame of frames) this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
  }
}

const asked: {
  what: string;
  response: (body: unknown, status?: number) => Promise<void>;
  fail: () => Promise<void>;
}[] = [];
const { WebSocket, location } = globalThis;

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { WebSocket: Socket, location: { origin: 'https://hub.test' } });
  spyOn(globalThis, 'fetch').mockImplementation(
    ((to: string, { method }: RequestInit) =>
      new Promise((resolve, reject) => {
        const response = async (body: unknown, status = 200) => {
          resolve(Response.json(body, { status }));
          await settle();
        };
        const fail = async () => {
          reject(new TypeError('There is no network.'));
          await settle();
        };
        asked.push({ what: `${method} ${to}`.replace(/\/api\/v1|\?.*$/g, ''), response, fail });
      })) as unknown as typeof fetch,
  );
});

afterEach(async () => {
  // Whoever asks in another file would wait for what has no answer here.
  for (const { fail } of asked.splice(0)) await fail();
  jest.restoreAllMocks();
  jest.useRealTimers();
  Object.assign(globalThis, { WebSocket, location });
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

/** The oldest request of this kind that has no answer. */
function next(what: string) {
  const place = asked.findIndex((each) => each.what === what);
  const [found] = place < 0 ? [] : asked.splice(place, 1);
  if (!found) throw new Error(`Nobody asks for ${what}.`);
  return found;
}

/** How many messages and to-dos are unread as of an event, and up to which others each was read. */
function unread(seq: number, [message, todo]: [number, number], [messages, todos]: [number, number] = [0, 0]) {
  const state = readStateOf({ message: messages, note: 0, todo: todos }, { message, note: 0, todo });
  return { hubId: HUB, seq, ...state, unreadMentionIds: [] } satisfies UnreadState;
}

function list(state: UnreadState) {
  return { items: [{ id: HUB, name: 'Hub', isMember: true, deletedAt: null, ...state } as unknown as Hub], next: null };
}

/** Somebody has just come, and is told of what happens. */
async function come(state: UnreadState) {
  const hubs = new Hubs({ items: new ItemStore(), myId: 'per_me', onSignedOut: () => {} });
  const loaded = hubs.load();
  await next('GET /hubs').response(list(state));
  await loaded;
  const open = () => {
    Socket.last.dispatchEvent(new Event('open'));
    Socket.last.say({ type: 'subscribed', hubId: HUB, seq: state.seq, epoch: 'one' });
    jest.advanceTimersByTime(SOON_MS);
  };
  open();
  await next('GET /hubs').response(list(state));
  const left = () => [hubs.find(HUB)?.unreadCounts?.message, hubs.find(HUB)?.unreadCounts?.todo];
  const cut = () => Socket.last.dispatchEvent(new CloseEvent('close', { code: 1006 }));
  return { hubs, left, cut, open, say: (...frames: ServerFrame[]) => Socket.last.say(...frames) };
}

const posted = (seq: number): EventFrame => event('created', seq, message(seq));

test('what was read on another device is known, also while it is being told what is read here', async () => {
  const { hubs, left, say } = await come(unread(3, [2, 1]));
  const marked = hubs.markRead(HUB, 3, 'message');
  say({ type: 'unread', ...unread(3, [2, 0], [0, 3]) });
  expect(left()).toEqual([0, 0]);
  await next(`PUT /hubs/${HUB}/read`).response(unread(3, [0, 0], [3, 3]));
  expect(left()).toEqual([0, 0]);
  say({ type: 'unread', ...unread(3, [0, 0], [3, 3]) });
  jest.advanceTimersByTime(SOON_MS);
  await marked;
  expect([left(), asked]).toEqual([[0, 0], []]);
});

test('what came while a part was being marked as read is counted, and what was read is not', async () => {
  const { hubs, left, say } = await come(unread(3, [3, 0]));
  void hubs.markRead(HUB, 2, 'message');
  const mark = next(`PUT /hubs/${HUB}/read`);
  say(posted(4));
  await mark.response(unread(3, [1, 0], [2, 0]));
  say({ type: 'unread', ...unread(4, [2, 0], [2, 0]) });
  expect(left()).toEqual([2, 0]);
});

test('what is not known is asked for until a list tells of the newest event', async () => {
  const { left, say } = await come(unread(3, [3, 2]));
  const pruned: EventFrame = { type: 'event', hubId: HUB, seq: 4, event: 'items.pruned', data: { before: 'x' } };
  say(pruned);
  jest.advanceTimersByTime(SOON_MS);
  const first = next('GET /hubs');
  say(posted(5));
  await first.response(list(unread(4, [1, 2])));
  jest.advanceTimersByTime(SOON_MS);
  await next('GET /hubs').response(list(unread(5, [2, 2])));
  expect(left()).toEqual([2, 2]);
  jest.advanceTimersByTime(SOON_MS);
  expect(asked).toEqual([]);
});

test('an event that a list knew already is counted no second time, though the Hub was renamed before it', async () => {
  const { hubs, left, say } = await come(unread(3, [1, 0]));
  const loaded = hubs.load();
  await next('GET /hubs').response(list(unread(5, [2, 0])));
  await loaded;
  const data = { name: 'Hub', retentionDays: null };
  say({ type: 'event', hubId: HUB, seq: 4, event: 'hub.changed', data }, posted(5));
  expect([left(), hubs.find(HUB)?.seq]).toEqual([[2, 0], 5]);
});

test('what was read while the server was away is told to it when it is back', async () => {
  const { hubs, left, cut, open } = await come(unread(3, [3, 0]));
  cut();
  const marked = hubs.markRead(HUB, 3);
  await next(`PUT /hubs/${HUB}/read`).fail();
  jest.advanceTimersByTime(60_000);
  expect([left(), asked.filter(({ what }) => what.startsWith('PUT'))]).toEqual([[0, 0], []]);
  hubs.reconnect();
  open();
  await settle();
  await next(`PUT /hubs/${HUB}/read`).response(unread(3, [0, 0], [3, 3]));
  jest.advanceTimersByTime(SOON_MS);
  await marked;
  expect(left()).toEqual([0, 0]);
});

test('a mark that the server refuses is told to who made it, and is not sent again', async () => {
  const { hubs } = await come(unread(3, [3, 0]));
  const marked = hubs.markRead(HUB, 3).catch(({ message: text }) => text);
  await next(`PUT /hubs/${HUB}/read`).response({ message: 'You do not belong to it.' }, 403);
  expect(await marked).toBe('You do not belong to it.');
  jest.advanceTimersByTime(60_000);
  expect(asked.filter(({ what }) => what.startsWith('PUT'))).toEqual([]);
});
