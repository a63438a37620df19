import { describe, expect, test } from 'bun:test';
import { freePort } from '@hub/testkit';
import { failureOf } from '@hub/testkit/concurrency';
import { TEST_KEY, timedClient } from '../test/timed-client.ts';
import { connectionError, isRetryable } from './connection-failure.ts';
import { HubConnectionError } from './index.ts';

const coded = (code: string) => Object.assign(new Error(code), { code });
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
const refusedByProxy = Object.assign(new Error('Proxy response (407) !== 200'), { code: 'UND_ERR_ABORTED' });
/** As Deno 2.9 reports it. */
const inDeno = (reason: string) =>
  fetchFailed(new Error(`error sending request for url (http://hub.test/): client error (${reason}`));

describe('a fetch error', () => {
  test.each([
    ['Bun', coded('ECONNREFUSED')],
    ['an earlier Bun', coded('ConnectionRefused')],
    ['Node, one address', fetchFailed(coded('ECONNREFUSED'))],
    ['Node, several addresses', fetchFailed(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]))],
    ['Deno', inDeno('Connect): tcp connect error: Connection refused (os error 111)')],
    ['a name server that is not up yet', fetchFailed(coded('EAI_AGAIN'))],
  ])('is retryable, because nothing was sent: %s', (_, thrown) => {
    const error = connectionError(thrown, 'http://hub.test');
    expect(isRetryable(error)).toBe(true);
    expect(error).toMatchObject({ mayHaveCreated: false, kind: 'unreachable' });
    expect(error.message).toMatch(/^Cannot reach http:\/\/hub\.test \(\w+\)\. Nothing was posted\.$/);
  });

  test.each([
    ['no such host', fetchFailed(coded('ENOTFOUND'))],
    ['no such host, in Deno', inDeno('Connect): dns error: failed to lookup address information: Name not known')],
    ['an untrusted certificate, in Deno', inDeno('Connect): invalid peer certificate: UnknownIssuer')],
    ['no such unix socket', coded('ENOENT')],
    ['a connection that took too long', fetchFailed(coded('UND_ERR_CONNECT_TIMEOUT'))],
    ['an expired certificate', fetchFailed(coded('CERT_HAS_EXPIRED'))],
    ['a proxy that refuses, in Bun', coded('ERR_PROXY_TUNNEL')],
    ['a proxy that refuses, in Node', fetchFailed(new Error('', { cause: refusedByProxy }))],
    ['a self-signed certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['addresses that fail in two ways', fetchFailed(new AggregateError([coded('ECONNREFUSED'), coded('ENOTFOUND')]))],
  ])('means that nothing was sent, but is not retryable: %s', (_, thrown) => {
    const error = connectionError(thrown, 'http://hub.test');
    expect(isRetryable(error)).toBe(false);
    expect(error.mayHaveCreated).toBe(false);
    expect(error.message).toContain('Nothing was posted.');
  });

  test.each([
    ['a reset', fetchFailed(coded('ECONNRESET'))],
    ['a canceled request', fetchFailed(coded('UND_ERR_ABORTED'))],
    ['a refused connection and a reset', fetchFailed(new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')]))],
    ['a reset, in Deno', inDeno('SendRequest): connection closed before message completed')],
    ['no code', new TypeError('connection refused')],
    ['an empty AggregateError', fetchFailed(new AggregateError([]))],
    ['a string', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('means that the post may have been sent: %s', (_, thrown) => {
    const error = connectionError(thrown, 'http://hub.test');
    expect(isRetryable(error)).toBe(false);
    expect(error).toMatchObject({ mayHaveCreated: true, kind: 'uncertain' });
    expect(error.message).toContain('the post may have been created');
  });

  test.each([
    ['Node', fetchFailed(new Error('bad port'))],
    ['Deno', new TypeError('Fetch failed: Requests to port 6000 are blocked')],
  ])('means that nothing was sent if %s blocks the port, and the message names the cause', (_, thrown) => {
    const error = connectionError(thrown, 'http://hub.test:6000');
    expect(isRetryable(error)).toBe(false);
    expect(error.mayHaveCreated).toBe(false);
    expect(error.message).toBe(
      'fetch blocks the port of http://hub.test:6000 (bad port). Nothing was posted. Use another port for the server.',
    );
  });

  const eproto = (message: string) => Object.assign(new Error(message), { code: 'EPROTO' });

  test.each([
    ['Node', fetchFailed(coded('ERR_SSL_WRONG_VERSION_NUMBER'))],
    ['an earlier Node', fetchFailed(eproto('write EPROTO 80:error:SSL routines:ssl3_get_record:wrong version number'))],
    ['Deno', inDeno('Connect): received corrupt message of type InvalidContentType')],
    ['Bun', eproto('EPROTO: The TLS handshake failed. Does the server speak TLS on this port?')],
  ])('reports that the port does not use TLS and that nothing was sent: %s', (_, thrown) => {
    const error = connectionError(thrown, 'https://hub.test');
    expect(error).toMatchObject({ mayHaveCreated: false, handshakeFailed: true });
    expect(error.message).toMatch(/does not use TLS \(\w+\)\. Nothing was posted\..*http:\/\//);
    expect(isRetryable(error)).toBe(false);
  });

  test('explains how to trust a custom CA if the certificate is not trusted', () => {
    const message = (code: string) => connectionError(coded(code), 'https://hub.test').message;
    for (const code of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])
      expect(message(code)).toMatch(
        RegExp(`not trusted \\(${code}\\)\\. Nothing was posted.*NODE_EXTRA_CA_CERTS=FILE`),
      );
    for (const code of ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID']) {
      expect(message(code)).toContain(`not valid (${code}). Nothing was posted.`);
      expect(message(code)).not.toContain('NODE_EXTRA_CA_CERTS');
    }
  });

  test.each(['ECONNRESET', 'UND_ERR_SOCKET'])('suggests https after %s, but only for an http URL', (code) => {
    expect(connectionError(coded(code), 'http://hub.test').message).toContain('use https://');
    expect(connectionError(coded(code), 'https://hub.test').message).not.toContain('use https://');
  });
});

test('a refused connection is retried connectRetries times, with doubling waits of at most 5 s', async () => {
  const url = `http://127.0.0.1:${freePort()}`;
  let tries = 0;
  const counting = (address: string, init: RequestInit) => {
    tries += 1;
    return fetch(address, init);
  };
  const base = { baseUrl: url, apiKey: TEST_KEY, timeoutMs: Number.POSITIVE_INFINITY };
  const never = timedClient({ ...base, connectRetries: 0, fetch: counting });
  await expect(never.hub.messages.create({ text: 'x' })).rejects.toBeInstanceOf(HubConnectionError);
  expect(tries).toBe(1);
  const often = timedClient({ ...base, connectRetries: 10 });
  const failure = failureOf(often.hub.messages.create({ text: 'x' }));
  const waits: number[] = [];
  while (waits.length < 10) {
    await often.clock.untilSleeping();
    waits.push(often.clock.nextAt - often.clock.now());
    often.clock.advance(waits.at(-1) ?? 0);
  }
  expect(await failure).toBeInstanceOf(HubConnectionError);
  expect(await failure).toMatchObject({ code: 'ECONNREFUSED', mayHaveCreated: false });
  expect(waits).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 5_000, 5_000]);
});
