import { describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { pemOf, type TestCertificate } from '@hub/testkit/in-process/certificates';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { testFolder } from '@hub/testkit/test-folder';
import { startListening } from '../../test/listening.ts';
import { addressRanges } from '../platform/config-schemas.ts';
import { StartError } from '../platform/errors.ts';
import type { Log } from '../platform/ports.ts';
import type { FetchHandler } from './announce-connection.ts';
import { certificateStatus, readTlsPair, type TlsFiles, type TlsPair, tlsChangeCheck } from './public-listener.ts';

const certOf = (certificate: TestCertificate): string => readFileSync(pemOf(certificate, 'cert'), 'utf8');

/**
 * Creates a folder with a certificate and a key that a test can replace as common tools do: atomically, by renaming.
 */
function tlsFolder() {
  const folder = testFolder('hub-tls-');
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const replaceFile = (source: string, target: string): void => {
    copyFileSync(source, `${target}.new`);
    renameSync(`${target}.new`, target);
  };
  const put = (certificate: TestCertificate, ...parts: ('cert' | 'key')[]): void => {
    if (parts.includes('cert')) replaceFile(pemOf(certificate, 'cert'), files.certFile);
    if (parts.includes('key')) replaceFile(pemOf(certificate, 'key'), files.keyFile);
  };
  put('first', 'cert', 'key');
  return { folder, files, put, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
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
  const check = tlsChangeCheck({
    files,
    initial: readTlsPair(files),
    log,
    onChange: async (pair) => {
      changes.push(pair);
    },
  });
  return { check, changes, warnings };
}

describe('a change of the TLS files', () => {
  test('is noticed when symbolic links are swapped, as Kubernetes does', async () => {
    using tls = tlsFolder();
    for (const certificate of ['first', 'second'] as const) {
      mkdirSync(join(tls.folder, certificate));
      symlinkSync(pemOf(certificate, 'cert'), join(tls.folder, certificate, 'tls.crt'));
      symlinkSync(pemOf(certificate, 'key'), join(tls.folder, certificate, 'tls.key'));
    }
    symlinkSync('first', join(tls.folder, '..data'));
    const files = { certFile: join(tls.folder, '..data/tls.crt'), keyFile: join(tls.folder, '..data/tls.key') };
    const { check, changes } = watch(files);
    symlinkSync('second', join(tls.folder, '..data_tmp'));
    renameSync(join(tls.folder, '..data_tmp'), join(tls.folder, '..data'));
    await check();
    expect(changes.map((pair) => pair.cert)).toEqual([certOf('second')]);
  });

  test('to an invalid pair keeps the old one and warns once', async () => {
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
});

const trust = { tls: { ca: [Bun.file(pemOf('first', 'cert')), Bun.file(pemOf('second', 'cert'))] } };

/** Returns the name in the certificate that a new connection receives. */
function shownName(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

const SUITES = ['AES128-SHA', 'AES256-SHA', 'AES128-GCM-SHA256'].map((suite) => `ECDHE-ECDSA-${suite}`);

/** Returns the suite that a client of TLS 1.2 gets that has only this one, or `null`. */
function negotiated(port: number, ciphers: string): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, rejectUnauthorized: false, ciphers, maxVersion: 'TLSv1.2' } as const;
    const socket = connect(options, () => {
      resolve(socket.getCipher().name);
      socket.destroy();
    });
    socket.once('error', () => resolve(null));
  });
}

async function startTls(handler: FetchHandler) {
  const tls = tlsFolder();
  const clock = new TestClock();
  let replaced = (): void => {};
  const messages: string[] = [];
  const hub = await startListening({
    fetch: handler,
    websocket: { open: (socket) => void socket.subscribe('topic'), message() {} },
    clock,
    config: { tls: tls.files, baseUrl: OTHER },
    onLog: (message) => {
      messages.push(message);
      if (message === 'TLS certificate reloaded') replaced();
    },
  });
  return {
    ...hub,
    messages,
    /** Installs the second certificate. Resolves once it is served. */
    async replaceCertificate(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      replaced = resolve;
      tls.put('second', 'cert', 'key');
      await clock.untilSleeping();
      clock.advance(2_000);
      await promise;
    },
    async [Symbol.asyncDispose]() {
      const drained = hub[Symbol.asyncDispose]();
      clock.advance(10_000);
      await drained;
      tls[Symbol.dispose]();
    },
  };
}

test('new connections get a new certificate on the same port, and a client without authenticated encryption is refused', async () => {
  await using hub = await startTls(() => new Response('ok'));
  const { port, localUrl } = hub.listener;
  const accepted = () => Promise.all(SUITES.map((suite) => negotiated(port, suite)));
  const expected = [null, null, SUITES[2] ?? ''];
  expect(await accepted()).toEqual(expected);
  await hub.replaceCertificate();
  expect(hub.messages).toContainEqual(expect.stringContaining('is not for hub.example.org'));
  expect(hub.listener.certificate()).toMatchObject({ expiresAt: EXPIRY });
  expect(await shownName(port)).toBe('second.hub.test');
  expect(await (await fetch(localUrl, trust)).text()).toBe('ok');
  expect(await accepted()).toEqual(expected);
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
