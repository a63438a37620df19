import { describe, expect, test } from 'bun:test';
import { LIMITS, type ServerFrame } from '@hub/contract';
import { type LiveClient, liveClient } from '@hub/testkit/in-process/live-client';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { post, restartHub, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { holdNext } from '../../test/store/writes.ts';
import { MAX_READ_EVENTS } from '../storage/events.ts';

const hub = shared(startTestHub);

async function newHub(on: TestHub = hub) {
  const { hubId, key, stored } = await publicCaller(on);
  return { hubId, key, postText: (text: string) => stored('messages', { text }) };
}

const texts = (client: LiveClient, hubId: string) =>
  client.events(hubId).map(({ seq, data }) => `${seq} ${'text' in data ? data.text : '?'}`);

const isReset = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'reset' }> => frame.type === 'reset';
const isError = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'error' }> => frame.type === 'error';

describe('a live view', () => {
  test('shows a post from a key with its sequence number, author and key', async () => {
    const { hubId, postText } = await newHub();
    using client = await liveClient(hub);
    const { epoch } = await hub.store.workspace.find();
    expect(await client.subscribe(hubId)).toEqual({ type: 'subscribed', hubId, seq: 0, epoch });
    await postText('**Deployed**');
    const [event] = await client.upTo(hubId, 1);
    expect(event).toMatchObject({
      type: 'event',
      hubId,
      seq: 1,
      event: 'message.created',
      data: { kind: 'message', hubId, text: '**Deployed**', author: { kind: 'bot', name: 'Bot' }, key: { name: 'ci' } },
    });
  });

  test('that subscribes again while events are being read gets none of them twice', async () => {
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

  test('gets the same frame of a post directly as by replay', async () => {
    const { hubId, key, postText } = await newHub();
    using direct = await liveClient(hub);
    await direct.subscribe(hubId);
    await postText('the first one is read from the log');
    const blocks = [{ id: 'b1', type: 'paragraph', data: { text: 'blocks' } }];
    await post(hub, 'messages', key, { text: 'text', blocks });
    await post(hub, 'notes', key, { title: 'title', content: 'content' });
    await post(hub, 'todos', key, { title: 't', content: 'c', dueDate: '2026-03-02T10:00:00Z', priority: 'HIGH' });
    // A text that may mention members is read from the log, and so is the rest of its batch.
    await Promise.all(['a', '@nobody', 'b', 'c', '@nobody', 'd'].map((text) => post(hub, 'messages', key, { text })));
    const workspace = await hub.admin.raw('PATCH', '/workspace', { botName: 'Robot' });
    expect(workspace.status).toBe(200);
    await postText('renamed');
    await postText('again');
    const events = await direct.upTo(hubId, 12);
    expect(events.slice(-2).map(({ data }) => data)).toMatchObject(Array(2).fill({ author: { name: 'Robot' } }));
    await hub.admin.raw('PATCH', '/workspace', { botName: 'Bot' });
    using replayed = await liveClient(hub);
    await replayed.subscribe(hubId, { after: 0 });
    const frames = JSON.stringify(await replayed.upTo(hubId, 12));
    expect(JSON.stringify(events).replaceAll('Robot', 'Bot')).toBe(frames);
  });

  test('has no gaps and no duplicates when posts arrive during a long replay', async () => {
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

  test('that unsubscribes gets no more events, and can resume from its last number', async () => {
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
});

test('a reset is sent for an unreached sequence number or another epoch; then the view continues live', async () => {
  const { hubId, postText } = await newHub();
  await postText('a');
  using client = await liveClient(hub);
  const { epoch } = await hub.store.workspace.find();
  for (const options of [{ after: 1, epoch: 'epoch_other' }, { after: 2 }]) {
    using other = await liveClient(hub);
    for (const each of [other, client]) each.send({ type: 'subscribe', hubId, ...options });
    expect(await other.until(isReset)).toEqual({ type: 'reset', hubId, seq: 1, epoch });
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

describe('an invalid frame', () => {
  test.each([
    ['hello', 'one JSON object'],
    ['[]', 'must be a JSON object'],
    ['{"type":"publish"}', 'type must be subscribe, unsubscribe or attend'],
    ['{"type":"attend"}', 'isAttending must be true or false'],
    ['{"type":"subscribe","hubid":"x"}', 'hubid is not a field of subscribe'],
    ['{"type":"subscribe"}', 'hubId must be the id of a Hub'],
    [`{"type":"subscribe","hubId":"${UNKNOWN_HUB}","epoch":1}`, 'epoch must'],
    [`{"type":"subscribe","hubId":"${UNKNOWN_HUB}","after":-1}`, 'whole number, 0 or greater'],
  ])('%s gets an error, and the connection stays open', async (sent, message) => {
    using client = await liveClient(hub);
    client.send(sent);
    expect(await client.until(isError)).toMatchObject({ code: 'invalid', message: expect.stringContaining(message) });
    await client.settled();
  });

  test('over the limit closes the connection', async () => {
    using client = await liveClient(hub);
    client.send(JSON.stringify({ type: 'subscribe', hubId: 'x'.repeat(LIMITS.liveFrameBytes) }));
    await client.closed;
    expect(client.events()).toEqual([]);
  });
});

test('a deleted Hub is removed from live views immediately, and then not found, as an unknown one; the connection stays open', async () => {
  const { hubId } = await newHub();
  using client = await liveClient(hub);
  await client.subscribe(hubId);
  await hub.admin.deleteHub(hubId);
  expect(await client.until(isError)).toMatchObject({ code: 'hub_deleted', hubId });
  for (const id of [hubId, UNKNOWN_HUB, 'Releases']) {
    using other = await liveClient(hub);
    other.send({ type: 'subscribe', hubId: id });
    expect(await other.until(isError)).toMatchObject({ code: 'not_found', hubId: id });
  }
  await hub.admin.restoreHub(hubId);
  expect(await client.subscribe(hubId, { after: 0 })).toMatchObject({ seq: 2 });
});
