import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { type EventFrame, LIMITS, type WorkspaceTopic } from '@hub/contract';
import { type LiveClient, liveClient } from '@hub/testkit/in-process/live-client';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { post, restartHub, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn, tokenOf } from '@hub/testkit/in-process/users';
import { holdNext } from '../../test/store/writes.ts';
import { type EventRecord, MAX_READ_EVENTS } from '../storage/events.ts';
import { FrameQueue } from './client-frames.ts';
import { ReplayedFrames } from './live-frames.ts';

const hub = shared(startTestHub);

async function newHub(on: TestHub = hub) {
  const { hubId, key, stored } = await publicCaller(on);
  return { hubId, key, postText: (text: string) => stored('messages', { text }) };
}

const texts = (client: LiveClient, hubId: string) =>
  client.events(hubId).map(({ seq, data }) => `${seq} ${'text' in data ? data.text : '?'}`);

test('a live view that subscribes again while events are being read gets none of them twice', async () => {
  await using own = await startTestHub();
  const { hubId, postText } = await newHub(own);
  using client = await liveClient(own);
  // Not the read for notifications, which reads fewer at once.
  const isOfFeed = (_hubId: string, _after: number, limit: number) => limit === MAX_READ_EVENTS;
  const initial = holdNext(own.store.events, 'read', isOfFeed);
  await client.subscribe(hubId);
  await initial.reached;
  initial.goOn();
  const { reached, goOn } = holdNext(own.store.events, 'read', isOfFeed);
  await own.admin.raw('PATCH', `/hubs/${hubId}`, { name: 'Renamed' });
  await reached;
  expect(await client.subscribe(hubId)).toMatchObject({ seq: 1 });
  goOn();
  await postText('Next');
  await client.upTo(hubId, 2);
  expect(client.events(hubId).map(({ seq }) => seq)).toEqual([2]);
});

test('a live view shows a post with its number, author and key, and gets the same frame directly as by replay', async () => {
  const { hubId, key, postText } = await newHub();
  await memberOf(hub, hubId, { name: 'Ada' });
  using direct = await liveClient(hub);
  const { epoch } = await hub.store.workspace.find();
  expect(await direct.subscribe(hubId)).toEqual({ type: 'subscribed', hubId, seq: 1, epoch });
  await postText('**First**, read from the log');
  const author = { kind: 'bot', name: 'Bot' };
  const data = { kind: 'message', hubId, text: '**First**, read from the log', author, key: { name: 'ci' } };
  const [event] = await direct.upTo(hubId, 2);
  expect(event).toMatchObject({ type: 'event', hubId, seq: 2, event: 'message.created', data });
  const blocks = [{ id: 'b1', type: 'paragraph', data: { text: 'blocks' } }];
  await post(hub, 'messages', key, { text: 'text', blocks });
  await post(hub, 'notes', key, { title: 'title', content: 'content' });
  await post(hub, 'todos', key, { title: 't', content: 'c', dueDate: '2026-03-02T10:00:00Z', priority: 'HIGH' });
  // A text that may mention members is read from the log, and so is the rest of its batch.
  await Promise.all(['a', '@Ada', 'b', 'c', '@nobody', 'd'].map((text) => post(hub, 'messages', key, { text })));
  const workspace = await hub.admin.raw('PATCH', '/workspace', { botName: 'Robot' });
  expect(workspace.status).toBe(200);
  await postText('renamed');
  await postText('again');
  const events = await direct.upTo(hubId, 13);
  expect(events.slice(-2).map(({ data }) => data)).toMatchObject(Array(2).fill({ author: { name: 'Robot' } }));
  await hub.admin.raw('PATCH', '/workspace', { botName: 'Bot' });
  using replayed = await liveClient(hub);
  await replayed.subscribe(hubId, { after: 1 });
  const frames = JSON.stringify(await replayed.upTo(hubId, 13));
  expect(JSON.stringify(events).replaceAll('Robot', 'Bot')).toBe(frames);
});

test('a live view has no gaps and no duplicates when posts arrive during a long replay', async () => {
  const { hubId } = await newHub();
  const keys = await Promise.all(Array.from({ length: 8 }, () => hub.admin.issueKey({ hubId })));
  const flood = () =>
    Promise.all(
      keys.flatMap(({ key }) => Array.from({ length: 30 }, (_, n) => post(hub, 'messages', key, { text: `${n}` }))),
    );
  await flood();
  const clients = await Promise.all(Array.from({ length: 5 }, () => liveClient(hub)));
  const flooding = flood();
  for (const client of clients) client.send({ type: 'subscribe', hubId, after: 0 });
  await flooding;
  for (const client of clients) {
    const events = await client.upTo(hubId, 480);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 480 }, (_, n) => n + 1));
    client.socket.close();
  }
});

test('a live view that unsubscribes gets no more events, and can resume from its last number', async () => {
  const { hubId, postText } = await newHub();
  using client = await liveClient(hub);
  await client.subscribe(hubId);
  client.send({ type: 'unsubscribe', hubId });
  await client.settled();
  await postText('unseen');
  await client.settled();
  expect(client.events(hubId)).toEqual([]);
  await client.subscribe(hubId, { after: 0 });
  await client.upTo(hubId, 1);
  expect(texts(client, hubId)).toEqual(['1 unseen']);
});

test('a reset is sent for an unreached sequence number or another epoch; then the view continues live', async () => {
  const { hubId, postText } = await newHub();
  await postText('a');
  using client = await liveClient(hub);
  const { epoch } = await hub.store.workspace.find();
  for (const options of [{ after: 1, epoch: 'epoch_other' }, { after: 2 }]) {
    using other = await liveClient(hub);
    for (const each of [other, client]) each.send({ type: 'subscribe', hubId, ...options });
    expect(await other.until('reset')).toEqual({ type: 'reset', hubId, seq: 1, epoch });
  }
  await postText('b');
  await client.upTo(hubId, 2);
  expect(texts(client, hubId)).toEqual(['2 b']);
});

test('a live view resumes from its last number after a restart, in the same epoch', async () => {
  const first = await startTestHub();
  const { hubId, key, postText } = await newHub(first);
  const before = await liveClient(first);
  const { epoch } = await before.subscribe(hubId);
  await postText('seen');
  await before.upTo(hubId, 1);
  await using second = await restartHub(first);
  expect(await before.closed).toMatchObject({ code: 1001 });
  await post(second, 'messages', key, { text: 'missed' });
  using after = await liveClient(second);
  expect(await after.subscribe(hubId, { after: 1, epoch })).toMatchObject({ seq: 2, epoch });
  await after.upTo(hubId, 2);
  expect(texts(after, hubId)).toEqual(['2 missed']);
});

const UNKNOWN_HUB = `hub_${'0'.repeat(26)}`;

test.each([
  ['hello', 'one JSON object'],
  ['[]', 'must be a JSON object'],
  ['{"type":"publish"}', 'type must be subscribe, unsubscribe or attend'],
  ['{"type":"attend"}', 'isAttending must be true or false'],
  ['{"type":"subscribe","hubid":"x"}', 'hubid is not a field of subscribe'],
  ['{"type":"subscribe"}', 'hubId must be the id of a Hub'],
  [`{"type":"subscribe","hubId":"${UNKNOWN_HUB}","epoch":1}`, 'epoch must'],
  [`{"type":"subscribe","hubId":"${UNKNOWN_HUB}","after":-1}`, 'whole number, 0 or greater'],
])('an invalid frame %s gets an error, and the connection stays open', async (sent, message) => {
  using client = await liveClient(hub);
  client.send(sent);
  expect(await client.until('error')).toMatchObject({ code: 'invalid', message: expect.stringContaining(message) });
  await client.settled();
});

test('an invalid frame over the limit closes the connection', async () => {
  using client = await liveClient(hub);
  client.send(JSON.stringify({ type: 'subscribe', hubId: 'x'.repeat(LIMITS.liveFrameBytes) }));
  await client.closed;
  expect(client.events()).toEqual([]);
});

test('a deleted Hub is removed from live views immediately, and then not found, as an unknown one; the connection stays open', async () => {
  const { hubId } = await newHub();
  using client = await liveClient(hub);
  await client.subscribe(hubId);
  await hub.admin.deleteHub(hubId);
  expect(await client.until('error')).toMatchObject({ code: 'hub_deleted', hubId });
  for (const id of [hubId, UNKNOWN_HUB, 'Releases']) {
    using other = await liveClient(hub);
    other.send({ type: 'subscribe', hubId: id });
    expect(await other.until('error')).toMatchObject({ code: 'not_found', hubId: id });
  }
  await hub.admin.restoreHub(hubId);
  expect(await client.subscribe(hubId, { after: 0 })).toMatchObject({ seq: 2 });
});

const topicsOf = ({ frames }: LiveClient): WorkspaceTopic[] =>
  frames.flatMap((frame) => (frame.type === 'workspace.changed' ? frame.topics : []));
const untilTold = (client: LiveClient, topic: WorkspaceTopic) =>
  client.until('workspace.changed', ({ topics }) => topics.includes(topic));

/** Returns the topics that an admin is notified of for one action. The client is new, so it gets nothing else. */
async function topicsAfter(action: () => Promise<unknown>): Promise<WorkspaceTopic[]> {
  using client = await liveClient(hub, (await signedIn(hub, { role: 'admin' })).headers);
  await action();
  await client.until('workspace.changed');
  await client.settled();
  return topicsOf(client);
}

test('every action that changes a list is announced with its topic', async () => {
  const { id: keyId, hubId } = await hub.admin.issueKey();
  const { user } = await signedIn(hub);
  for (const [topic, method, path, body] of [
    ['keys', 'POST', '/keys', { hubId, name: 'x', scopes: ['messages:create'] }],
    ['keys', 'POST', `/keys/${keyId}/rotation`],
    ['keys', 'POST', `/keys/${keyId}/revocation`],
    ['keys', 'POST', `/keys/${keyId}/removals`],
    ['hubs', 'PATCH', `/hubs/${hubId}`, { name: 'Renamed' }],
    ['users', 'POST', `/users/${user.id}/deactivation`],
    ['workspace', 'PATCH', '/workspace', { name: 'Workshop' }],
  ] as [WorkspaceTopic, string, string, object?][]) {
    expect([path, await topicsAfter(() => hub.admin.json(method, path, body))]).toEqual([path, [topic]]);
  }
});

test('members are notified of key changes in their own Hubs only, and of all other topics', async () => {
  const { id: mine } = await hub.admin.createHub();
  const { id: foreign } = await hub.admin.createHub();
  using client = await liveClient(hub, (await memberOf(hub, mine)).headers);
  await hub.admin.issueKey({ hubId: foreign });
  await signedIn(hub);
  await hub.admin.json('PATCH', '/workspace', { name: 'Another name' });
  await untilTold(client, 'workspace');
  expect(topicsOf(client)).not.toContain('keys');
  expect(topicsOf(client)).toContain('users');
  await hub.admin.issueKey({ hubId: mine });
  await untilTold(client, 'keys');
});

test('members are not notified of key changes while only admins manage keys', async () => {
  const { id: hubId } = await hub.admin.createHub();
  await hub.admin.json('PATCH', '/workspace', { membersManageKeys: false });
  using client = await liveClient(hub, (await memberOf(hub, hubId)).headers);
  await hub.admin.issueKey({ hubId });
  await hub.admin.json('PATCH', '/workspace', { name: 'Once more another name' });
  await untilTold(client, 'workspace');
  expect(topicsOf(client)).not.toContain('keys');
});

const event = (seq: number, itemId = `msg_${seq}`): EventRecord => ({
  ...{ hubId: 'hub_1', seq, at: 0, itemId },
  ...{ event: 'message.changed', data: null, item: null },
});

function replayed(...seqs: number[]): ReplayedFrames {
  const frames = new ReplayedFrames();
  for (const seq of seqs) frames.add(event(seq), { isFresh: true });
  return frames;
}

const seqsAfter = (frames: ReplayedFrames, after: number): number[] =>
  frames.after('hub_1', after, 50).map(({ seq }) => seq);

test('returned frames never have a gap', () => {
  const frames = replayed(1, 2, 4, 5);
  expect(seqsAfter(frames, 0)).toEqual([1, 2]);
  expect(seqsAfter(frames, 2)).toEqual([]);
  expect(seqsAfter(frames, 3)).toEqual([4, 5]);
});

test('a change to an item drops its frames and no others', () => {
  const frames = replayed(1, 2);
  frames.add(event(3, 'msg_1'), { isFresh: true });
  frames.invalidate(event(4, 'msg_1'));
  expect(seqsAfter(frames, 0)).toEqual([]);
  expect(seqsAfter(frames, 1)).toEqual([2]);
  expect(seqsAfter(frames, 2)).toEqual([]);
});

test('a new item makes no frame stale, neither a cached one nor one that is being read', () => {
  const frames = replayed(1, 2);
  const { version } = frames;
  frames.invalidate({ ...event(3), event: 'message.created' });
  expect(seqsAfter(frames, 0)).toEqual([1, 2]);
  expect(frames.version).toBe(version);
  frames.invalidate(event(3));
  expect(frames.version).toBeGreaterThan(version);
});

test('the cache is bounded: older frames are dropped first', () => {
  const frames = new ReplayedFrames();
  const addLong = (seq: number) => frames.add(event(seq, `${seq}${'x'.repeat(1024 * 1024)}`), { isFresh: true });
  for (let seq = 1; seq <= 7; seq += 1) addLong(seq);
  expect(seqsAfter(frames, 0)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  addLong(8);
  expect(seqsAfter(frames, 0)).toEqual([]);
  expect(seqsAfter(frames, 7)).toEqual([8]);
});

test('frames from one user are processed in order, and users take turns', async () => {
  const frames = new FrameQueue(new TestClock());
  const done: string[] = [];
  const add = (user: string, name: string) => frames.add(user, async () => void done.push(name));
  for (const name of ['a1', 'a2', 'a3']) add('ada', name);
  for (const name of ['b1', 'b2']) add('bob', name);
  await new Promise(setImmediate);
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

interface FollowOptions extends Record<'url' | 'token' | 'hubId', string> {
  show: (event: EventFrame) => unknown;
  load: () => Promise<{ seq: number; epoch: string }>;
}

/** Globals for the client: the test can terminate the client's sockets, and the client reconnects without waiting. */
const environment = {
  opened: [] as { terminate(): void }[],
  WebSocket: class extends WebSocket {
    constructor(url: string, options: object) {
      super(url, options as unknown as string[]);
      environment.opened.push(this as unknown as { terminate(): void });
    }
  },
  setTimeout: (run: () => void) => {
    if (environment.isAway) environment.comeBack = run;
    else setImmediate(run);
  },
  isAway: false,
  comeBack: () => {},
};

async function documentedClient(): Promise<{ follow(options: FollowOptions): () => void }> {
  const page = await Bun.file(join(import.meta.dir, '../../../../docs/live.md')).text();
  const code = /^```js\n([\s\S]*?)^```$/m.exec(page)?.[1];
  const file = join(hub.dataDir, 'documented-client.js');
  await Bun.write(file, `const { WebSocket, setTimeout } = globalThis.environment;\n${code}`);
  Object.assign(globalThis, { environment });
  return import(file);
}

test('the client in docs/live.md has no gaps and no duplicates across lost connections and a reset', async () => {
  const { hubId, key } = await publicCaller(hub);
  const { user } = await memberOf(hub, hubId);
  const reader = await tokenOf(hub, user);
  const shown: EventFrame[] = [];
  let loaded = 0;
  const upTo = async (seq: number) => {
    while ((shown.at(-1)?.seq ?? 0) < seq) await new Promise(setImmediate);
  };
  const { follow } = await documentedClient();
  const stop = follow({
    url: hub.url,
    token: reader.headers.authorization?.replace('Bearer ', '') ?? '',
    hubId,
    show: (event) => shown.push(event),
    load: async () => {
      const { body } = await reader.json<{ seq: number; epoch: string }>('GET', `/hubs/${hubId}/messages`);
      // Only now: a post before the response would be part of the page, and not shown as an event.
      loaded += 1;
      return body;
    },
  });
  while (hub.deps.live.counts.subscriptions === 0) await new Promise(setImmediate);
  await post(hub, 'messages', key, { text: 'first' });
  const first = (await hub.store.hubs.find(hubId))?.seq ?? 0;
  for (let cut = 0; cut < 20; cut += 1) {
    await post(hub, 'messages', key, { text: `before cut ${cut}` });
    environment.opened.at(-1)?.terminate();
    await post(hub, 'messages', key, { text: `after cut ${cut}` });
    await upTo(first + 2 * cut + 2);
  }
  expect(shown.map(({ seq }) => seq)).toEqual(Array.from({ length: 41 }, (_, at) => first + at));
  expect(loaded).toBe(0);

  // Events from this period can no longer be replayed when the client reconnects.
  environment.isAway = true;
  environment.opened.at(-1)?.terminate();
  for (let n = 0; n < 2; n += 1) await post(hub, 'messages', key, { text: 'while it is away' });
  hub.clock.advance((LIMITS.eventRetentionDays + 1) * 24 * 60 * 60 * 1000);
  await hub.prune();
  environment.isAway = false;
  environment.comeBack();
  while (loaded === 0) await new Promise((resolve) => setImmediate(resolve));
  await post(hub, 'messages', key, { text: 'when it is back' });
  await upTo(first + 43);
  expect(shown.slice(41).map(({ seq }) => seq)).toEqual([first + 43]);
  expect(loaded).toBe(1);

  environment.isAway = true;
  environment.opened.at(-1)?.terminate();
  stop();
  const before = environment.opened.length;
  environment.comeBack();
  expect(environment.opened).toHaveLength(before);
});
