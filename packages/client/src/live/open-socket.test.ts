import { describe, expect, test } from 'bun:test';
import { startLiveTrial } from '../testing/live-trial.ts';
import { connectLive, type LiveOptions } from './index.ts';
import { readTarget } from './open-socket.ts';
import type { LiveSocket } from './options.ts';

describe('where the connection goes', () => {
  test.each<[string, LiveOptions, string, string | undefined]>([
    [
      'from the address of the server',
      { baseUrl: 'https://hub.example.com' },
      'wss://hub.example.com/api/v1/live',
      'https://hub.example.com/api/v1/live',
    ],
    [
      'with its port',
      { baseUrl: new URL('http://localhost:3000/') },
      'ws://localhost:3000/api/v1/live',
      'http://localhost:3000/api/v1/live',
    ],
    [
      'behind a prefix',
      { baseUrl: 'https://example.com/team/hub/' },
      'wss://example.com/team/hub/api/v1/live',
      'https://example.com/team/hub/api/v1/live',
    ],
    [
      'over the admin socket',
      { url: 'ws+unix:///data/admin.sock:/api/v1/live' },
      'ws+unix:///data/admin.sock:/api/v1/live',
      undefined,
    ],
    ['to any address', { url: 'wss://example.com/live' }, 'wss://example.com/live', 'https://example.com/live'],
  ])('is known %s', (_, options, url, httpUrl) => {
    expect(readTarget(options)).toEqual({ url, httpUrl, headers: {} });
  });

  test.each<[string, LiveOptions, string]>([
    ['no address', {}, 'baseUrl is missing'],
    ['half an address', { baseUrl: 'hub.example.com' }, 'no absolute address'],
    ['another protocol', { baseUrl: 'ftp://hub.example.com' }, 'must begin with https:// or http://'],
    ['a query', { baseUrl: 'https://hub.example.com?x=1' }, 'must not have a query or a fragment'],
    ['a password', { baseUrl: 'https://ada:secret@hub.example.com' }, 'must not hold a user or a password'],
    ['a url of http', { url: 'https://hub.example.com' }, 'must begin with ws:// or wss://'],
  ])('must not be %s, and is not repeated', (_, options, message) => {
    expect(() => connectLive(options)).toThrow(message);
    expect(() => connectLive(options)).not.toThrow('secret');
  });

  test('the token goes into the header, and nowhere else', () => {
    const target = readTarget({ baseUrl: 'https://hub.example.com', token: 'hub_pat_secret' });
    expect(target.headers).toEqual({ authorization: 'Bearer hub_pat_secret' });
    expect(target.url + target.httpUrl).not.toContain('hub_pat');
  });
});

test('a runtime without a WebSocket is told what to pass, before anything else happens', () => {
  const { WebSocket } = globalThis;
  Reflect.deleteProperty(globalThis, 'WebSocket');
  try {
    expect(() => connectLive({ baseUrl: 'http://127.0.0.1:9' })).toThrow('pass createSocket');
  } finally {
    globalThis.WebSocket = WebSocket;
  }
});

describe('wrong options of follow are refused before anything is sent', () => {
  const onEvent = () => {};
  const onReset = () => {};
  test.each<[string, string, object, string]>([
    ['no Hub', '', { onEvent, onReset }, 'the id of a Hub'],
    ['no onReset', 'hub_1', { onEvent }, 'onEvent and onReset'],
    ['a negative number', 'hub_1', { onEvent, onReset, after: -1 }, 'a whole number from 0 on'],
    ['half a number', 'hub_1', { onEvent, onReset, after: 1.5 }, 'a whole number from 0 on'],
    ['an epoch alone', 'hub_1', { onEvent, onReset, epoch: 'x' }, 'epoch says nothing without after'],
    ['no room', 'hub_1', { onEvent, onReset, queueLimit: 0 }, 'queueLimit must be above 0'],
  ])('%s', (_, hubId, options, message) => {
    const createSocket = () => new WebSocket('ws://127.0.0.1:9');
    const live = connectLive({ baseUrl: 'http://127.0.0.1:9', createSocket });
    expect(() => live.follow(hubId, options as never)).toThrow(message);
    live.close();
  });
});

test('an attempt that fails is over with its error, though no close follows, as in Node 22', async () => {
  const sockets: EventTarget[] = [];
  const createSocket = (): LiveSocket => {
    const socket = Object.assign(new EventTarget(), { send: () => {}, close: () => {} });
    sockets.push(socket);
    return socket as LiveSocket;
  };
  await using trial = startLiveTrial({ createSocket });
  sockets[0]?.dispatchEvent(Object.assign(new Event('error'), { message: 'Nobody listens there.' }));
  expect(trial.live.state).toEqual({ status: 'waiting', delayMs: 250, reason: 'Nobody listens there.' });
  // Where it does follow, the attempt does not fail twice.
  sockets[0]?.dispatchEvent(new Event('close'));
  trial.clock.advance(250);
  expect(sockets).toHaveLength(2);
});
