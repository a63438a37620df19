import { expect, test } from 'bun:test';
import { connect } from 'node:tls';
import { pemOf, startListening, tlsFolder } from '@hub/testkit/in-process/listening';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import type { FetchHandler } from './announce-connection.ts';
import { contextOf } from './request-context.ts';

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
  const hub = await startListening({
    fetch: handler,
    websocket: { open: (socket) => void socket.subscribe('topic'), message() {} },
    clock,
    config: { tls: tls.files },
    onLog: (message) => {
      if (message === 'TLS certificate reloaded') replaced();
    },
  });
  return {
    ...hub,
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

test('the listener serves HTTPS, and the app sees the https scheme', async () => {
  await using hub = await startTls((request) => new Response(contextOf(request).origin));
  const { localUrl, port } = hub.listener;
  expect(localUrl).toBe(`https://127.0.0.1:${port}`);
  expect(await (await fetch(localUrl, trust)).text()).toBe(localUrl);
  expect(await shownName(port)).toBe('first.hub.test');
});

test('new connections get the new certificate on the same port', async () => {
  await using hub = await startTls(() => new Response('ok'));
  await hub.replaceCertificate();
  expect(await shownName(hub.listener.port)).toBe('second.hub.test');
  expect(await (await fetch(hub.listener.localUrl, trust)).text()).toBe('ok');
});

test('a request in progress when the certificate changes still gets its response', async () => {
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await using hub = await startTls(async () => {
    hold();
    await released;
    return new Response('done');
  });
  const slow = fetch(hub.listener.localUrl, trust);
  await isHeld;
  await hub.replaceCertificate();
  release();
  expect(await (await slow).text()).toBe('done');
});

test('a WebSocket survives a certificate change and keeps receiving published frames', async () => {
  await using hub = await startTls((request) =>
    contextOf(request).upgrade(undefined, {}) ? undefined : new Response(null, { status: 400 }),
  );
  const open = async () => {
    const socket = new WebSocket(hub.listener.localUrl.replace('https', 'wss'), trust as never);
    const received = new Promise<string>((resolve) => {
      socket.onmessage = (event) => resolve(String(event.data));
    });
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    return { socket, received };
  };
  const before = await open();
  await hub.replaceCertificate();
  const after = await open();
  hub.listener.publish('topic', 'hello', false);
  expect(await Promise.all([before.received, after.received])).toEqual(['hello', 'hello']);
  before.socket.close();
  after.socket.close();
});

test.each(['AES128-SHA', 'AES256-SHA'])(
  'a client that has only ECDHE-ECDSA-%s, without authenticated encryption, is refused',
  async (suite) => {
    await using hub = await startTls(() => new Response());
    expect(await negotiated(hub.listener.port, `ECDHE-ECDSA-${suite}`)).toBeNull();
    await hub.replaceCertificate();
    expect(await negotiated(hub.listener.port, `ECDHE-ECDSA-${suite}`)).toBeNull();
    const modern = 'ECDHE-ECDSA-AES128-GCM-SHA256';
    expect(await negotiated(hub.listener.port, modern)).toBe(modern);
  },
);
