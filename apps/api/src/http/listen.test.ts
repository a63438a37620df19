import { describe, expect, test } from 'bun:test';
import { startListening } from '../../test/listening.ts';
import { addressRanges } from '../platform/config-schemas.ts';
import { StartError } from '../platform/errors.ts';
import { adminSocketError, plainHttpWarning } from './listen.ts';
import { contextOf } from './request-context.ts';
import { RESPONSE_HEADERS } from './response-headers.ts';

/** Responds with the connection that the listener recorded. */
const announceConnection = (request: Request): Response => {
  const { transport, address, origin } = contextOf(request);
  return Response.json({ transport, address, origin, url: request.url });
};

const ask = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).json();

async function raw(port: number, request: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let response = '';
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (socket) => void socket.write(request),
      data: (_, chunk) => {
        response += chunk.toString();
      },
      close: () => resolve(response),
    },
  });
  return promise;
}

describe('the connection that the app sees', () => {
  test('has the peer address and the host of the request; over the admin socket, it is local and has the public origin', async () => {
    await using hub = await startListening({ fetch: announceConnection });
    const { localUrl } = hub.listener;
    const expected = { transport: 'public', address: '127.0.0.1', origin: localUrl, url: `${localUrl}/a` };
    expect(await ask(`${localUrl}/a`)).toEqual(expected);
    expect(await ask(localUrl, { host: 'Hub.Example.org' })).toMatchObject({ origin: 'http://hub.example.org' });
    const local = await fetch('http://localhost/', { unix: hub.socketPath });
    expect(await local.json()).toMatchObject({ transport: 'local', address: 'local', origin: localUrl });
  });

  test('reflects X-Forwarded headers from a configured proxy', async () => {
    const config = { trustedProxies: addressRanges.parse('127.0.0.0/8') };
    await using hub = await startListening({ fetch: announceConnection, config });
    const forwarded = { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https', host: 'hub.example.org' };
    const expected = { address: '198.51.100.1', origin: 'https://hub.example.org' };
    expect(await ask(hub.listener.localUrl, forwarded)).toMatchObject(expected);
  });
});

describe('a request without a usable host', () => {
  test('is served over HTTP/1.0, as used by some health checks', async () => {
    await using hub = await startListening({ fetch: announceConnection });
    const response = await raw(hub.listener.port, 'GET /readyz?a=1 HTTP/1.0\r\n\r\n');
    expect(response).toStartWith('HTTP/1.1 200 ');
    expect(response).toContain('"url":"http://localhost/readyz?a=1"');
  });

  test('returns 400 for what is no host', async () => {
    await using hub = await startListening({ fetch: announceConnection });
    for (const host of ['a/b', 'user@host', 'a b', '', 'localhost:99999', '%00', '256.256.256.256', '[1]']) {
      const request = `GET /api/x?a=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const response = await raw(hub.listener.port, request);
      expect(response).toStartWith('HTTP/1.1 400 ');
      expect(response).toMatch(/\r\nx-request-id: req_test\r\n/i);
      const body = JSON.parse(response.split('\r\n\r\n')[1] ?? '');
      expect(Object.keys(body).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
      expect(body).toMatchObject({ statusCode: 400, path: '/api/x', message: expect.stringContaining('Host') });
      for (const [name, value] of Object.entries(RESPONSE_HEADERS)) {
        expect(response.toLowerCase()).toContain(`\r\n${name}: ${value}\r\n`);
      }
    }
  });
});

test.each([
  [
    'throws',
    () => {
      throw new Error('internal');
    },
  ],
  ['rejects', () => Promise.reject(new Error('internal'))],
])('the listener returns a 500 without details if the app %s', async (_, fetchApp) => {
  await using hub = await startListening({ fetch: fetchApp });
  const response = await fetch(`${hub.listener.localUrl}/api/x`);
  expect(response.status).toBe(500);
  expect(response.headers.get('x-request-id')).toBe('req_test');
  expect(Object.fromEntries(response.headers)).toMatchObject(RESPONSE_HEADERS);
  const message = expect.not.stringContaining('internal');
  expect(await response.json()).toMatchObject({ statusCode: 500, path: '/api/x', message });
});

test('a connection that sends more than 100 requests without waiting for responses is closed, and others are not', async () => {
  let handled = 0;
  const fetchApp = (): Response => {
    handled += 1;
    return new Response('ok');
  };
  await using hub = await startListening({ fetch: fetchApp });
  const { port, localUrl } = hub.listener;
  const request = 'GET / HTTP/1.1\r\nHost: hub.example\r\n\r\n';
  const last = request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  const responses = await raw(port, request.repeat(99) + last);
  expect(responses.split('HTTP/1.1 200').length - 1).toBe(100);
  handled = 0;
  await raw(port, request.repeat(5_000));
  expect(handled).toBeLessThanOrEqual(100);
  expect((await fetch(localUrl)).status).toBe(200);
});

test('an address that cannot be used fails with a message that says what to do', async () => {
  await using hub = await startListening({ fetch: announceConnection });
  const { port } = hub.listener;
  for (const [config, message] of [
    [
      { port },
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or set HUB_PORT to a free port.`,
    ],
    [{ host: '198.51.100.1' }, '198.51.100.1 is not an address of this machine. Set HUB_HOST to'],
    [{ host: 'no-such-host.invalid' }, 'no-such-host.invalid cannot be resolved on this machine. Set HUB_HOST to'],
  ] as const) {
    const attempt = startListening({ fetch: announceConnection, config });
    await expect(attempt).rejects.toThrow(message);
    await expect(attempt).rejects.toBeInstanceOf(StartError);
  }
});

test('draining aborts and counts requests that do not finish in time', async () => {
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const fetchApp = () => {
    hold();
    return new Promise<Response>(() => {});
  };
  await using hub = await startListening({ fetch: fetchApp });
  const endless = fetch(hub.listener.localUrl).catch((error: Error) => error);
  await isHeld;
  expect(await hub.listener.drain(30)).toBe(1);
  expect(await endless).toBeInstanceOf(Error);
});

test('a server that other machines can reach over plain HTTP causes a warning, but not on localhost or with TLS', () => {
  const config = { host: '0.0.0.0', baseUrl: null, tls: null };
  for (const host of ['0.0.0.0', '::', '192.168.1.2', 'hub.lan']) {
    expect(plainHttpWarning({ ...config, host })).toContain(host);
    expect(plainHttpWarning({ ...config, host, baseUrl: 'http://hub.lan' })).toContain('HUB_TLS_CERT_FILE');
  }
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
    expect(plainHttpWarning({ ...config, host })).toBeNull();
  }
  expect(plainHttpWarning({ ...config, tls: { certFile: 'c', keyFile: 'k' } })).toBeNull();
  expect(plainHttpWarning({ ...config, baseUrl: 'https://hub.example.org' })).toBeNull();
});

test.each(['ENOENT', 'EACCES', 'EROFS', 'ENAMETOOLONG', 'EIO'])(
  'the error for a socket that cannot be created says what to do: %s',
  (code) => {
    const { message } = adminSocketError(Object.assign(new Error(), { code }), '/run/hub/admin.sock');
    expect(message).toStartWith('Cannot create the admin socket /run/hub/admin.sock: ');
    expect(message).toContain('or set HUB_ADMIN_SOCKET to another path.');
  },
);
