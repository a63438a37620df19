import { describe, expect, test } from 'bun:test';
import { Recorder } from '@hub/testkit/concurrency';
import { TestProxy } from '@hub/testkit/proxy';
import { seeded } from '@hub/testkit/random';
import { errorResponse } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { bundle } from '../../build.ts';
import { startBusyHub } from '../../test/busy-hub.ts';
import { EPOCH, event, followedTrial, HUB, startLiveTrial, subscribed } from '../../test/live-trial.ts';
import { QUIET_MS, RESPONSE_MS } from './heartbeat.ts';
import { connectLive, type LiveOptions } from './index.ts';
import { readTarget } from './open-socket.ts';
import type { LiveSocket } from './options.ts';

const response = (statusCode: number, message: string) => () => errorResponse(statusCode, message);

test('a live connection passes its frames to onHubsChanged, also after each connect, onWorkspaceChanged and onUnread', async () => {
  const notified = new Recorder<unknown>();
  await using trial = startLiveTrial({
    onHubsChanged: () => notified.add('hubs'),
    onWorkspaceChanged: notified.add,
    onUnread: notified.add,
  });
  const peer = await trial.open();
  await notified.nth(1);
  peer.send({ type: 'hubs.changed' });
  peer.send({ type: 'workspace.changed', topics: ['keys', 'users'] });
  const unread = { hubId: 'hub_1', seq: 9, readSeq: 7, unreadCount: 3, unreadMentionIds: ['msg_1'] };
  peer.send({ type: 'unread', ...unread });
  await notified.nth(4);
  peer.cut();
  await trial.reconnect();
  await notified.nth(5);
  expect(notified.values).toEqual(['hubs', 'hubs', ['keys', 'users'], unread, 'hubs']);
});

describe('the wait before a reconnect', () => {
  test('grows to a maximum of 15 seconds while the server is down, and is short again after a stable connection', async () => {
    await using trial = startLiveTrial();
    (await trial.open()).cut();
    trial.server.rejectWith(response(503, 'The server is stopping.'));
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      // Each attempt adds two states: connecting, waiting.
      const state = await trial.states.nth(1 + 2 * attempt);
      const delayMs = state.status === 'waiting' ? state.delayMs : Number.NaN;
      delays.push(delayMs);
      if (attempt === 8) trial.server.rejectWith(undefined);
      trial.clock.advance(delayMs);
    }
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 7_500, 7_500, 7_500]);
    const next = await trial.server.peers.nth(2);
    await trial.states.nth(19);
    trial.clock.advance(5_000);
    next.cut();
    expect(await trial.states.nth(20)).toMatchObject({ status: 'waiting', delayMs: 250 });
  });

  test('ends immediately when the machine is back online', async () => {
    await using trial = startLiveTrial();
    (await trial.open()).cut();
    await trial.states.first(({ status }) => status === 'waiting');
    trial.wake();
    await trial.server.peers.nth(2);
    trial.live.close();
    expect(trial.isListening()).toBe(false);
  });
});

describe('the heartbeat', () => {
  test('probes the server after a period of silence, with each Hub in turn', async () => {
    await using trial = startLiveTrial();
    trial.follow({ after: 0 });
    trial.follow({ after: 0 }, 'hub_2');
    const { seen } = trial.follow({ after: 0 }, 'hub_3');
    const peer = await trial.open();
    for (const hubId of [HUB, 'hub_2', 'hub_3']) peer.send(subscribed(0, EPOCH, hubId));
    await seen.nth(1);
    for (const [index, hubId] of [HUB, 'hub_2', 'hub_3', HUB].entries()) {
      trial.clock.advance(QUIET_MS);
      expect(await peer.frames.nth(4 + index)).toMatchObject({ type: 'subscribe', hubId });
      peer.send(subscribed(index, EPOCH, hubId), event(index + 1, 'hub_3'));
      await seen.nth(index + 2);
    }
    expect(trial.live.state).toEqual({ status: 'live' });
  });

  test('closes the connection if there is no response to a probe', async () => {
    await using trial = await followedTrial();
    trial.peer.send(subscribed(0));
    await trial.seen.nth(1);
    trial.clock.advance(QUIET_MS);
    await trial.peer.frames.nth(2);
    trial.clock.advance(RESPONSE_MS - 1);
    expect(trial.live.state).toEqual({ status: 'live' });
    trial.clock.advance(1);
    expect(trial.live.state).toMatchObject({ status: 'waiting', reason: 'The server does not respond.' });
    await trial.reconnect();
    expect(await (await trial.server.peers.nth(2)).frames.nth(1)).toMatchObject({ after: 0 });
  });
});

describe('a rejected connection', () => {
  test('ends with unauthenticated and without retries when the session expires', async () => {
    await using trial = await followedTrial();
    trial.peer.send(subscribed(1), event(1));
    await trial.seen.nth(2);
    const message = 'Your session or token is no longer valid. Sign in again.';
    trial.peer.close(4401, message);
    await trial.seen.nth(3);
    expect(trial.seen.values).toEqual([1, 'caught up 1', 'end unauthenticated']);
    expect(trial.live.state).toEqual({ status: 'ended', reason: 'unauthenticated', message });
    expect(trial.clock.sleeping).toBe(0);
    expect(() => trial.follow()).toThrow('Sign in again.');
  });

  test('ends with unauthenticated after fetch reports a 401', async () => {
    await using trial = startLiveTrial({ token: 'hub_pat_secret' });
    const peer = await trial.open();
    expect(peer.headers.get('authorization')).toBe('Bearer hub_pat_secret');
    trial.server.rejectWith(response(401, 'This token has been revoked.'));
    peer.cut();
    await trial.reconnect();
    const state = await trial.states.first(({ status }) => status === 'ended');
    expect(state).toMatchObject({ reason: 'unauthenticated', message: 'This token has been revoked.' });
    const { url, headers } = trial.server.requests.at(-1) ?? { headers: new Headers() };
    expect(url).toBe(`${trial.server.url}/api/v1/live`);
    expect([headers.get('authorization'), headers.get('upgrade')]).toEqual(['Bearer hub_pat_secret', null]);
  });

  test('has the message of a 429 as the reason in its state, and reconnects anyway', async () => {
    await using trial = startLiveTrial();
    const peer = await trial.open();
    trial.server.rejectWith(response(429, 'You have 20 live connections already. Close one of them first.'));
    peer.cut();
    await trial.reconnect();
    const state = await trial.states.first((seen) => seen.status === 'waiting' && seen.isRejected === true);
    expect(state).toMatchObject({ reason: 'You have 20 live connections already. Close one of them first.' });
    trial.server.rejectWith(undefined);
    await trial.reconnect();
    await trial.server.peers.nth(2);
  });

  test('waits half a minute longer after a 1008, even if it was connected for long, and shows its reason', async () => {
    await using trial = startLiveTrial();
    const peer = await trial.open();
    trial.clock.advance(20_000);
    const reason = 'You have sent too many frames. Wait for half a minute before you reconnect.';
    peer.close(1008, reason);
    await trial.states.nth(3);
    expect(trial.live.state).toEqual({ status: 'waiting', delayMs: 30_250, reason, isRejected: true });
    await trial.reconnect();
    await trial.server.peers.nth(2);
  });
});

test('close ends the connection; afterward, nothing is delivered or retried and no timer is left', async () => {
  await using trial = await followedTrial();
  trial.peer.send(subscribed(1), event(1));
  await trial.seen.nth(2);
  trial.live.close();
  await trial.peer.closed.nth(1);
  expect(trial.seen.values).toEqual([1, 'caught up 1']);
  expect(trial.live.state).toMatchObject({ status: 'ended', reason: 'closed' });
  expect(trial.clock.sleeping).toBe(0);
});

test('sends nothing to a closing socket that has not emitted close yet', async () => {
  const frames: string[] = [];
  let open = () => {};
  const socket = {
    readyState: 1,
    send: (text: string) => void frames.push(text),
    close: () => {},
    addEventListener: (type: string, listener: (event: object) => void) => {
      if (type === 'open') open = () => listener({});
    },
  } satisfies LiveSocket;
  await using trial = startLiveTrial({ createSocket: () => socket });
  trial.follow();
  open();
  expect(frames).toHaveLength(1);
  socket.readyState = 2;
  trial.follow({}, 'hub_2');
  expect(frames).toHaveLength(1);
});

describe('the URL of the connection', () => {
  test.each<[LiveOptions, url: string]>([
    [{ baseUrl: 'https://hub.example.com' }, 'wss://hub.example.com/api/v1/live'],
    [{ baseUrl: new URL('http://localhost:3000/') }, 'ws://localhost:3000/api/v1/live'],
    [{ baseUrl: 'https://example.com/team/hub/' }, 'wss://example.com/team/hub/api/v1/live'],
    [{ url: 'wss://example.com/live' }, 'wss://example.com/live'],
  ])('is derived from %p', (options, url) => {
    expect(readTarget(options)).toEqual({ url, httpUrl: url.replace('ws', 'http'), headers: {} });
  });

  test('of the admin socket has no HTTP URL, and none contains the token, which is only in the header', () => {
    const url = 'ws+unix:///data/admin.sock:/api/v1/live';
    expect(readTarget({ url })).toEqual({ url, httpUrl: undefined, headers: {} });
    const target = readTarget({ baseUrl: 'https://hub.example.com', token: 'hub_pat_secret' });
    expect(target.headers).toEqual({ authorization: 'Bearer hub_pat_secret' });
    expect(target.url + target.httpUrl).not.toContain('hub_pat');
  });
});

test.each<[options: unknown, message: string]>([
  [{ baseURL: 'http://127.0.0.1:9' }, 'has no option "baseURL"; the options are baseUrl, url, token,'],
  ['http://127.0.0.1:9', 'The options of connectLive must be an object.'],
  [{}, 'baseUrl is missing'],
  [{ baseUrl: 'hub.example.com' }, 'not an absolute URL'],
  [{ baseUrl: 'ftp://hub.example.com' }, 'must start with https:// or http://'],
  [{ baseUrl: 'https://hub.example.com?x=1' }, 'must not have a query or a fragment'],
  [{ baseUrl: 'https://ada:secret@hub.example.com' }, 'must not contain a user name or password'],
  [{ url: 'https://hub.example.com' }, 'must start with ws:// or wss://'],
])('connectLive rejects %p before it connects, and the error does not contain its secrets', (options, message) => {
  const connect = () => connectLive(options as LiveOptions);
  expect(connect).toThrow(message);
  expect(connect).not.toThrow('secret');
  expect(connect).toThrow(TypeError);
});

test.each<[hubId: string, options: object, message: string]>([
  ['', {}, 'the ID of a Hub'],
  ['hub_1', { onEvent: undefined }, 'the function onEvent'],
  ['hub_1', { after: -1 }, 'a whole number, 0 or more'],
  ['hub_1', { after: 1.5 }, 'a whole number, 0 or more'],
  ['hub_1', { epoch: 'x' }, 'epoch requires after'],
  ['hub_1', { afer: 1 }, 'has no option "afer"; the options are after,'],
  ['hub_1', { queueLimit: 0 }, 'queueLimit must be above 0'],
])('follow rejects %p with %p before anything is sent', (hubId, options, message) => {
  const live = connectLive({ baseUrl: 'http://127.0.0.1:9', createSocket: () => new WebSocket('ws://127.0.0.1:9') });
  expect(() => live.follow(hubId, { onEvent: () => {}, onReset: () => {}, ...options })).toThrow(message);
  live.close();
});

test('the built library reconnects on Node, and sends the token in a header', async () => {
  using folder = temporaryFolder();
  await bundle(folder.path, 'esm', 'mjs');
  await using busy = await startBusyHub(seeded(7));
  while ((await busy.seq()) < 20) await busy.act();
  const proxy = new TestProxy(busy.port());
  const program = `
    import { connectLive } from '${folder.file('live.mjs')}';
    const live = connectLive({ baseUrl: '${proxy.url}', token: '${await busy.token()}' });
    const onEvent = ({ seq }) => {
      console.log(seq);
      if (seq === 40) live.close();
    };
    live.follow('${busy.hubId}', { after: 0, onEvent, onReset: () => console.log('reset') });
  `;
  // Needed before Node 22. It has no effect in later versions.
  const argv = ['node', '--experimental-websocket', '--input-type=module', '-e', program];
  const node = Bun.spawn(argv, { stderr: 'inherit' });
  let output = '';
  for await (const chunk of node.stdout.pipeThrough(new TextDecoderStream())) {
    const before = output;
    output += chunk;
    if (before.includes('20\n') || !output.includes('20\n')) continue;
    proxy.drop();
    while ((await busy.seq()) < 40) await busy.act();
  }
  // Node exits by itself, because the library leaves nothing open.
  expect(await node.exited).toBe(0);
  expect(output.trim().split('\n').map(Number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  proxy.close();
}, 180_000);
