import { describe, expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, newTokenOf } from '@hub/testkit/in-process/users';
import { TestProxy } from '@hub/testkit/proxy';
import { HubUsageError, openWorkspace } from '../workspace/public.ts';
import { applyEvent, connectLive, type EventFrame, HubApiError, type Item, type Items, type Message } from './index.ts';

const hub = shared(startTestHub);

/** Creates a Hub, and a connection with the token of a member. */
async function startFollowing() {
  const { id: hubId } = await hub.admin.createHub(`Followed ${crypto.randomUUID()}`);
  const ada = await memberOf(hub, hubId);
  const proxy = new TestProxy();
  proxy.forwardTo(hub);
  const token = await newTokenOf(hub, ada.user);
  const live = connectLive({ baseUrl: proxy.url, token });
  const write = (text: string) => ada.call('POST', `/hubs/${hubId}/messages`, { text });
  return {
    ...{ hubId, ada, proxy, token, live, write },
    [Symbol.dispose]: () => {
      live.close();
      proxy.close();
    },
  };
}

describe('events', () => {
  test('yields each event of a Hub once, and ends when the connection is closed', async () => {
    using on = await startFollowing();
    const seen: (string | null)[] = [];
    for await (const event of on.live.events(on.hubId, { after: 0 })) {
      if (event.event === 'member.added') await on.write('one');
      // The name of an event tells the type of its data.
      else if (event.event === 'message.created') seen.push(event.data.text);
      if (seen.length === 1) await on.write('two');
      if (seen.length === 2) on.live.close();
    }
    expect(seen).toEqual(['one', 'two']);
  });

  test('stops following when the loop is left, and with a signal, whose reason it throws', async () => {
    using on = await startFollowing();
    for await (const { event } of on.live.events(on.hubId, { after: 0 })) if (event === 'member.added') break;
    const stop = new AbortController();
    const waiting = on.live.events(on.hubId, { signal: stop.signal }).next();
    stop.abort(new Error('enough'));
    expect(waiting).rejects.toThrow('enough');
  });

  test('throws if the token is a variable that is not set, also with a WebSocket of the caller', async () => {
    const createSocket = (url: string) => new WebSocket(url);
    const live = connectLive({ baseUrl: hub.url, token: process.env.HUB_TEST_UNSET, createSocket });
    await expect(live.events(`hub_${'0'.repeat(26)}`).next()).rejects.toMatchObject({ statusCode: 401 });
  });

  test('delivers what was created meanwhile if the server has no events any more', async () => {
    using on = await startFollowing();
    const { id } = await on.write('one');
    const iterator = on.live.events(on.hubId, { after: 0 });
    const texts: (string | null)[] = [];
    const next = async (text: string): Promise<void> => {
      while (texts.at(-1) !== text) {
        const { value } = await iterator.next();
        if (value?.event === 'message.created') texts.push(value.data.text);
      }
    };
    await next('one');
    on.proxy.cut();
    await on.write('two');
    await on.ada.call('DELETE', `/messages/${id}`);
    hub.clock.advance(8 * 24 * 60 * 60_000);
    await on.write('three');
    await hub.prune();
    on.proxy.forwardTo(hub);
    on.live.wake();
    await next('three');
    await on.write('four');
    await next('four');
    expect(texts).toEqual(['one', 'two', 'three', 'four']);
  });
});

describe('the reader of lists', () => {
  test('returns all items of a Hub with the event that they reflect, and the items of lists', async () => {
    using on = await startFollowing();
    for (let count = 0; count < 101; count += 1) await on.write(`Number ${count}`);
    const { body: todo } = await on.ada.json<{ id: string }>('POST', `/hubs/${on.hubId}/todos`, { title: 'Renew it' });
    const workspace = openWorkspace({ baseUrl: hub.url, token: on.token });
    const { items, seq, epoch } = await workspace.itemsOf(on.hubId);
    expect([items.length, items[0]?.id]).toEqual([102, todo.id]);
    expect(epoch).toBeString();
    expect(seq).toBe(items[0]?.seq ?? 0);
    expect((await workspace.all('GET /hubs')).map(({ id }) => id)).toContain(on.hubId);
    const todos = await workspace.all('GET /hubs/{hubId}/todos', { hubId: on.hubId, query: { limit: 1 } });
    expect(todos.map(({ title }) => title)).toEqual(['Renew it']);
  });

  test('throws the errors of the client', async () => {
    const workspace = openWorkspace({ baseUrl: hub.url, token: 'hub_pat_x' });
    const error = await workspace.all('GET /hubs').catch((thrown: unknown) => thrown);
    expect([error instanceof HubApiError, (error as HubApiError).statusCode]).toEqual([true, 401]);
    expect(() => openWorkspace({ baseUrl: 'nonsense', token: 'hub_pat_x' })).toThrow(HubUsageError);
    for (const token of [undefined, '']) {
      expect(() => openWorkspace({ baseUrl: hub.url, token })).toThrow('token is missing');
    }
    expect(() => openWorkspace({ baseUrl: undefined, token: 'hub_pat_x' })).toThrow('baseUrl is missing');
  });
});

const createdAt = '2026-03-01T09:30:00.000Z';
const base = { kind: 'message', hubId: 'hub_1', createdAt, text: 'Hello', replyCount: 0, deletedAt: null };
const message = (id: string, fields: Partial<Message> = {}) => ({ ...base, id, ...fields }) as Message;

const frame = (event: EventFrame['event'], data: unknown): EventFrame =>
  ({ type: 'event', hubId: 'hub_1', seq: 1, event, data }) as EventFrame;
const holding = (...items: Item[]): Items => new Map(items.map((item) => [item.id, item]));
const deletedAt = '2026-03-02T00:00:00.000Z';

const replied = message('msg_1', { replyCount: 1 });
const blank = { ...replied, text: null, deletedAt };
const erased = { kind: 'message', id: 'msg_1', hubId: 'hub_1', deletedAt };
const gone = message('msg_1', { text: null, deletedAt });
const old = { createdAt: '2026-01-01T00:00:00.000Z' };
const kept = [message('msg_2', { parentId: 'msg_1' }), message('msg_3', { hubId: 'hub_2', ...old })];

test.each<[what: string, before: Item[], event: EventFrame['event'], data: unknown, after: Item[]]>([
  ['a deleted message with replies becomes blank', [replied], 'message.deleted', blank, [blank]],
  ['and goes with its last reply', [blank], 'message.changed', { ...blank, replyCount: 0 }, []],
  // The state of the item counts, not the name of the event, because the item may have been deleted since.
  ['a message that is deleted by now goes', [message('msg_1')], 'message.changed', gone, []],
  // Only a few fields of it are sent.
  ['so does an erased one', [message('msg_1')], 'message.created', erased, []],
  ['so do older items of a pruned Hub', [message('msg_1', old), ...kept], 'items.pruned', { before: createdAt }, kept],
])('applyEvent: %s', (_, before, event, data, after) => {
  expect(applyEvent(holding(...before), frame(event, data))).toEqual(holding(...after));
});

test.each([
  ['message.created', { ...gone, id: 'msg_2' }],
  ['hub.changed', { name: 'New name', topic: null, retentionDays: null }],
  ['hub.deleted', { name: 'Releases' }],
  ['hub.restored', { name: 'Releases' }],
  ['member.added', { id: 'msg_1', name: 'Ada' }],
  ['member.removed', { id: 'msg_1', name: 'Ada' }],
] as const)('applyEvent returns the same map for %s with %j', (name, data) => {
  const items = holding(message('msg_1'));
  expect(applyEvent(items, frame(name, data))).toBe(items);
});
