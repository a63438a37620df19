import { expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectOverTls } from 'node:tls';
import { Recorder } from '@hub/testkit/concurrency';
import { pemOf, type TestCertificate } from '@hub/testkit/in-process/certificates';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { startListening } from '../../test/listening.ts';
import { addressRanges } from '../platform/config-schemas.ts';
import { StartError } from '../platform/errors.ts';
import type { Log } from '../platform/ports.ts';
import { adminSocketError, plainHttpWarning } from './listen.ts';
import { certificateStatus, readTlsPair, type TlsFiles, type TlsPair, tlsChangeCheck } from './public-listener.ts';
import { contextOf } from './request-context.ts';
import { RESPONSE_HEADERS } from './response-headers.ts';

/** Responds with the connection that the listener recorded. */
const announceConnection = (request: Request): Response => {
  const { transport, address, origin } = contextOf(request);
  return Response.json({ transport, address, origin, url: request.url });
};

const ask = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).json();

/** Returns everything that the server sends until it closes the connection. */
async function raw(port: number, request: string): Promise<string> {
  let response = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  socket.on('data', (chunk) => {
    response += String(chunk);
  });
  // A reset closes it as well.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  return response;
}

test('the connection that the app sees has the peer address and the host of the request; over the admin socket, it is local and has the public origin', async () => {
  await using hub = await startListening({ fetch: announceConnection });
  const { localUrl } = hub.listener;
  const expected = { transport: 'public', address: '127.0.0.1', origin: localUrl, url: `${localUrl}/a` };
  expect(await ask(`${localUrl}/a`)).toEqual(expected);
  expect(await ask(localUrl, { host: 'Hub.Example.org' })).toMatchObject({ origin: 'http://hub.example.org' });
  const local = await fetch('http://localhost/', { unix: hub.socketPath });
  expect(await local.json()).toMatchObject({ transport: 'local', address: 'local', origin: localUrl });
});

test('the connection that the app sees reflects X-Forwarded headers from a configured proxy', async () => {
  const config = { trustedProxies: addressRanges.parse('127.0.0.0/8') };
  await using hub = await startListening({ fetch: announceConnection, config });
  const forwarded = { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https', host: 'hub.example.org' };
  const expected = { address: '198.51.100.1', origin: 'https://hub.example.org' };
  expect(await ask(hub.listener.localUrl, forwarded)).toMatchObject(expected);
});

test('a request without a usable host is served over HTTP/1.0, as used by some health checks', async () => {
  await using hub = await startListening({ fetch: announceConnection });
  const response = await raw(hub.listener.port, 'GET /readyz?a=1 HTTP/1.0\r\n\r\n');
  expect(response).toStartWith('HTTP/1.1 200 ');
  expect(response).toContain('"url":"http://localhost/readyz?a=1"');
});

test('a request without a usable host returns 400 for what is no host', async () => {
  await using hub = await startListening({ fetch: announceConnection });
  for (const host of ['a/b', 'user@host', 'a b', '', 'localhost:99999', '%00', '256.256.256.256', '[1]']) {
    const request = `GET /api/x?a=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const response = await raw(hub.listener.port, request);
    expect(response).toStartWith('HTTP/1.1 400 ');
    expect(response).toMatch(/\r\nx-request-id: req_test\r\n/i);
    const error = { statusCode: 400, path: '/api/x', message: expect.stringContaining('Host') };
    const body = JSON.parse(response.split('\r\n\r\n')[1] ?? '');
    expect(body).toEqual({ ...error, timestamp: expect.any(String) });
    for (const [name, value] of Object.entries(RESPONSE_HEADERS)) {
      expect(response.toLowerCase()).toContain(`\r\n${name}: ${value}\r\n`);
    }
  }
});

test('the listener returns a 500 without details if the app throws or rejects', async () => {
  const fail = (): never => {
    throw new Error('internal');
  };
  for (const fetchApp of [fail, async () => fail()]) {
    await using hub = await startListening({ fetch: fetchApp });
    const response = await fetch(`${hub.listener.localUrl}/api/x`);
    expect(Object.fromEntries(response.headers)).toMatchObject({ ...RESPONSE_HEADERS, 'x-request-id': 'req_test' });
    const message = expect.not.stringContaining('internal');
    expect([response.status, await response.json()]).toMatchObject([500, { statusCode: 500, path: '/api/x', message }]);
  }
});

test('a connection that sends more than 100 requests without waiting for responses is closed, and others are not', async () => {
  let handled = 0;
  await using hub = await startListening({ fetch: () => new Response(String(++handled)) });
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
  const isUsed = `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or set HUB_PORT to`;
  for (const [config, message] of [
    [{ port }, isUsed],
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

/**
 * Creates a folder with a certificate and a key that a test can replace as common tools do: atomically, by renaming.
 */
function tlsFolder() {
  const folder = temporaryFolder();
  const files = { certFile: folder.file('cert.pem'), keyFile: folder.file('key.pem') };
  const put = (certificate: TestCertificate, ...parts: ('cert' | 'key')[]): void => {
    for (const part of parts) {
      copyFileSync(pemOf(certificate, part), folder.file('new'));
      renameSync(folder.file('new'), files[`${part}File`]);
    }
  };
  put('first', 'cert', 'key');
  return { ...folder, files, put };
}

test.each([
  ['an invalid certificate', 'certFile', 'garbage', '(HUB_TLS_CERT_FILE) contains no PEM certificate'],
  ['an invalid key', 'keyFile', 'garbage', '(HUB_TLS_KEY_FILE) contains no PEM private key'],
  ['a missing certificate', 'certFile', null, '(HUB_TLS_CERT_FILE): ENOENT.'],
  ['the key of another certificate', 'keyFile', 'second', '(HUB_TLS_KEY_FILE) does not match'],
] as const)('%s is rejected with the name of the file', (_, file, content, reason) => {
  using tls = tlsFolder();
  if (content === null) unlinkSync(tls.files[file]);
  else if (content === 'second') tls.put(content, 'key');
  else writeFileSync(tls.files[file], content);
  expect(() => readTlsPair(tls.files)).toThrow(StartError);
  expect(() => readTlsPair(tls.files)).toThrow(`${tls.files[file]} ${reason}`);
});

const PROXIED = { trustedProxies: addressRanges.parse('127.0.0.0/8') };
const EXPIRY = Date.parse('2126-10-28T04:25:06.000Z');
const DAY_MS = 86_400_000;
const OTHER = 'https://hub.example.org';

test.each([
  ['is fine before the last 14 days', null, {}, 14 * DAY_MS, null],
  ['expires soon', null, {}, 14 * DAY_MS - 1, 'expires on 2126-10-28. Renew it.'],
  ['has expired', null, {}, 0, 'expired on 2126-10-28: clients refuse'],
  ['names the host of HUB_BASE_URL', 'https://localhost:3000', {}, 14 * DAY_MS, null],
  ['names the address in HUB_BASE_URL', 'https://127.0.0.1:3000', {}, 14 * DAY_MS, null],
  ['is for another host', OTHER, {}, 0.5 * DAY_MS, 'not for hub.example.org, the host of HUB_BASE_URL, but for DNS:'],
  ['is for another address', 'https://[::1]', {}, DAY_MS, 'is not for ::1, the host of HUB_BASE_URL'],
  ['is for another host, behind a proxy with its own', OTHER, PROXIED, 14 * DAY_MS, null],
])('a certificate that %s', (_, baseUrl, over, remainingMs, problem) => {
  using tls = tlsFolder();
  const config = { baseUrl, trustedProxies: [], ...over };
  const status = certificateStatus(readTlsPair(tls.files), config, EXPIRY - remainingMs);
  expect(status).toEqual({ expiresAt: EXPIRY, problem: problem && expect.stringContaining(problem) });
});

/** Checks the files once. Records the reported changes and warnings. */
function watch(files: TlsFiles) {
  const changes: TlsPair[] = [];
  const warnings: string[] = [];
  const log: Log = { debug() {}, info() {}, error() {}, warn: (fields) => warnings.push(JSON.stringify(fields)) };
  const onChange = async (pair: TlsPair) => void changes.push(pair);
  const check = tlsChangeCheck({ files, initial: readTlsPair(files), log, onChange });
  return { check, changes, warnings };
}

test('a change of the TLS files is noticed when symbolic links are swapped, as Kubernetes does', async () => {
  using tls = tlsFolder();
  for (const certificate of ['first', 'second'] as const) {
    mkdirSync(tls.file(certificate));
    symlinkSync(pemOf(certificate, 'cert'), tls.file(`${certificate}/tls.crt`));
    symlinkSync(pemOf(certificate, 'key'), tls.file(`${certificate}/tls.key`));
  }
  symlinkSync('first', tls.file('..data'));
  const { check, changes } = watch({ certFile: tls.file('..data/tls.crt'), keyFile: tls.file('..data/tls.key') });
  symlinkSync('second', tls.file('..data_tmp'));
  renameSync(tls.file('..data_tmp'), tls.file('..data'));
  await check();
  expect(changes.map((pair) => pair.cert)).toEqual([readFileSync(pemOf('second', 'cert'), 'utf8')]);
});

test('a change of the TLS files to an invalid pair keeps the old one and warns once', async () => {
  using tls = tlsFolder();
  const { check, changes, warnings } = watch(tls.files);
  tls.put('second', 'cert');
  for (let look = 0; look < 4; look += 1) await check();
  expect(changes).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('does not match')]);

  tls.put('first', 'cert');
  await check();
  expect(changes).toEqual([]);
  tls.put('second', 'cert');
  for (let look = 0; look < 4; look += 1) await check();
  expect(warnings).toHaveLength(2);
});

const trust = { tls: { ca: [Bun.file(pemOf('first', 'cert')), Bun.file(pemOf('second', 'cert'))] } };

const SUITES = ['AES128-SHA', 'AES256-SHA', 'AES128-GCM-SHA256'].map((suite) => `ECDHE-ECDSA-${suite}`);

/** Returns the suite and the name in the certificate that a client of TLS 1.2 gets that has only this suite, or `null`. */
function negotiated(port: number, ciphers: string): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, rejectUnauthorized: false, ciphers, maxVersion: 'TLSv1.2' } as const;
    const socket = connectOverTls(options, () => {
      resolve(`${socket.getCipher().name} ${socket.getPeerCertificate().subject.CN}`);
      socket.destroy();
    });
    socket.once('error', () => resolve(null));
  });
}

test('new connections get a new certificate on the same port, and a client without authenticated encryption is refused', async () => {
  using tls = tlsFolder();
  const clock = new TestClock();
  const messages = new Recorder<string>();
  const config = { tls: tls.files, baseUrl: OTHER };
  await using hub = await startListening({ fetch: () => new Response('ok'), clock, config, onLog: messages.add });
  const { port, localUrl } = hub.listener;
  const accepted = () => Promise.all(SUITES.map((suite) => negotiated(port, suite)));
  expect(await accepted()).toEqual([null, null, `${SUITES[2]} first.hub.test`]);
  tls.put('second', 'cert', 'key');
  await clock.untilSleeping();
  clock.advance(2_000);
  await messages.first((message) => message === 'TLS certificate reloaded');
  expect(messages.values).toContainEqual(expect.stringContaining('is not for hub.example.org'));
  expect(hub.listener.certificate()).toMatchObject({ expiresAt: EXPIRY });
  expect(await (await fetch(localUrl, trust)).text()).toBe('ok');
  expect(await accepted()).toEqual([null, null, `${SUITES[2]} second.hub.test`]);
});

const HTTPS = { 'x-forwarded-proto': 'https', host: 'hub.example.org' };
const HOST = { host: 'hub.example.org' };

test.each([
  ['sent with a certificate', 'files', HOST, true],
  ['sent with an https HUB_BASE_URL', { baseUrl: 'https://hub.example.org' }, {}, true],
  ['sent if a configured proxy forwards https', PROXIED, HTTPS, true],
  ['not sent over plain HTTP', {}, {}, false],
  ['not sent because of an untrusted X-Forwarded-Proto', {}, HTTPS, false],
  ['not sent with an http HUB_BASE_URL', { baseUrl: 'http://hub.example.org', ...PROXIED }, HTTPS, false],
  ['not sent if the proxy forwards http', PROXIED, { ...HOST, 'x-forwarded-proto': 'http' }, false],
  ['not sent on localhost', { baseUrl: 'https://localhost:3000' }, {}, false],
] as const)('Strict-Transport-Security is %s', async (_, config, headers, isSent) => {
  using tls = tlsFolder();
  const options = config === 'files' ? { tls: tls.files } : config;
  await using hub = await startListening({ fetch: () => new Response('x'), config: options });
  const received = await fetch(hub.listener.localUrl, { headers, tls: { rejectUnauthorized: false } });
  expect(received.headers.get('strict-transport-security')).toBe(isSent ? 'max-age=31536000' : null);
});
