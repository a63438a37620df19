import { describe, expect, test } from 'bun:test';
import { connectLive, type LiveOptions } from './index.ts';
import { readTarget } from './open-socket.ts';

describe('the URL of the connection', () => {
  test.each<[string, LiveOptions, string, string | undefined]>([
    [
      'from the URL of the server',
      { baseUrl: 'https://hub.example.com' },
      'wss://hub.example.com/api/v1/live',
      'https://hub.example.com/api/v1/live',
    ],
    [
      'with a port',
      { baseUrl: new URL('http://localhost:3000/') },
      'ws://localhost:3000/api/v1/live',
      'http://localhost:3000/api/v1/live',
    ],
    [
      'with a path prefix',
      { baseUrl: 'https://example.com/team/hub/' },
      'wss://example.com/team/hub/api/v1/live',
      'https://example.com/team/hub/api/v1/live',
    ],
    [
      'for the admin socket',
      { url: 'ws+unix:///data/admin.sock:/api/v1/live' },
      'ws+unix:///data/admin.sock:/api/v1/live',
      undefined,
    ],
    ['from the url option', { url: 'wss://example.com/live' }, 'wss://example.com/live', 'https://example.com/live'],
  ])('is derived %s', (_, options, url, httpUrl) => {
    expect(readTarget(options)).toEqual({ url, httpUrl, headers: {} });
  });

  test.each<[string, LiveOptions, string]>([
    ['missing', {}, 'baseUrl is missing'],
    ['relative', { baseUrl: 'hub.example.com' }, 'not an absolute URL'],
    ['with another protocol', { baseUrl: 'ftp://hub.example.com' }, 'must start with https:// or http://'],
    ['with a query', { baseUrl: 'https://hub.example.com?x=1' }, 'must not have a query or a fragment'],
    ['with a password', { baseUrl: 'https://ada:secret@hub.example.com' }, 'must not contain a user name or password'],
    ['an https URL in url', { url: 'https://hub.example.com' }, 'must start with ws:// or wss://'],
  ])('is rejected if it is %s, and the error does not contain its secrets', (_, options, message) => {
    expect(() => connectLive(options)).toThrow(message);
    expect(() => connectLive(options)).not.toThrow('secret');
  });

  test('does not contain the token, which is only in the header', () => {
    const target = readTarget({ baseUrl: 'https://hub.example.com', token: 'hub_pat_secret' });
    expect(target.headers).toEqual({ authorization: 'Bearer hub_pat_secret' });
    expect(target.url + target.httpUrl).not.toContain('hub_pat');
  });
});

test.each<[string, unknown, string]>([
  ['a misspelled option', { baseURL: 'http://127.0.0.1:9' }, 'has no option "baseURL"; the options are baseUrl, url,'],
  ['an option of another name', { retries: 3 }, 'has no option "retries"; the options are baseUrl, url, token,'],
  ['no object', 'http://127.0.0.1:9', 'The options of connectLive must be an object.'],
])('connectLive rejects %s before it connects', (_, options, message) => {
  expect(() => connectLive(options as LiveOptions)).toThrow(TypeError);
  expect(() => connectLive(options as LiveOptions)).toThrow(message);
});

describe('follow rejects invalid options before anything is sent', () => {
  const onEvent = () => {};
  const onReset = () => {};
  test.each<[string, string, object, string]>([
    ['no Hub', '', { onEvent, onReset }, 'the ID of a Hub'],
    ['no onReset', 'hub_1', { onEvent }, 'onEvent and onReset'],
    ['a negative number', 'hub_1', { onEvent, onReset, after: -1 }, 'a whole number, 0 or more'],
    ['a fraction', 'hub_1', { onEvent, onReset, after: 1.5 }, 'a whole number, 0 or more'],
    ['an epoch without after', 'hub_1', { onEvent, onReset, epoch: 'x' }, 'epoch requires after'],
    ['a misspelled option', 'hub_1', { onEvent, onReset, afer: 1 }, 'has no option "afer"; the options are after,'],
    ['a queueLimit of 0', 'hub_1', { onEvent, onReset, queueLimit: 0 }, 'queueLimit must be above 0'],
  ])('%s', (_, hubId, options, message) => {
    const createSocket = () => new WebSocket('ws://127.0.0.1:9');
    const live = connectLive({ baseUrl: 'http://127.0.0.1:9', createSocket });
    expect(() => live.follow(hubId, options as never)).toThrow(message);
    live.close();
  });
});
