import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { pemOf } from '@hub/testkit/in-process/certificates';
import { shared } from '@hub/testkit/in-process/shared';
import { newTokenOf } from '@hub/testkit/in-process/users';
import { runProgram } from '@hub/testkit/run-program';
import { PROGRAMS } from '../test/programs.ts';
import { startTailing } from '../test/tail.ts';

/** Starts a proxy that records what it is asked for, and refuses it if `status` is set. */
async function startForwardProxy(status?: number) {
  const requestLines: string[] = [];
  const sockets = new Set<Socket>();
  const record = (line: string, authorization: string | undefined) =>
    requestLines.push(`${line}${authorization === undefined ? '' : ` ${atob(authorization.replace('Basic ', ''))}`}`);
  const server = createServer((received, response) => {
    const { method, url = '', headers } = received;
    record(`${method} ${url}`, headers['proxy-authorization']);
    if (status !== undefined) return void response.writeHead(status).end();
    const { 'proxy-authorization': _, ...kept } = headers;
    const onward = request(url, { method, headers: kept }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    received.pipe(onward);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }, socket: Socket, head: Buffer) => {
    record(`CONNECT ${url}`, headers['proxy-authorization']);
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    for (const each of [onward, socket]) each.on('error', () => each.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked: requestLines,
    [Symbol.dispose]: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Serves HTTPS for `localhost` in front of an HTTP port. Clients trust it with `NODE_EXTRA_CA_CERTS`. */
async function startTlsFront(port: number) {
  const [cert, key] = [readFileSync(pemOf('first', 'cert')), readFileSync(pemOf('first', 'key'))];
  const server = createSecureServer({ cert, key }, (socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const each of [socket, onward]) each.on('error', () => each.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.dispose]: () => void server.close() };
}

const on = shared(startTailing);
let tls: Awaited<ReturnType<typeof startTlsFront>>;
let token: string;
beforeAll(async () => {
  tls = await startTlsFront(Number(new URL(on.hub.url).port));
  token = await newTokenOf(on.hub, on.ada.user);
});
afterAll(() => tls[Symbol.dispose]());

describe.each(PROGRAMS)('hubctl on %s', (_, program) => {
  const own = () => ({ HUB_TOKEN: token, HUB_API_KEY: on.key, NODE_EXTRA_CA_CERTS: pemOf('first', 'cert') });
  const hubctl = async (argv: string[], env: Record<string, string>) =>
    await runProgram([...(await program()), ...argv], { env: { ...own(), ...env } });

  /** Returns where hubctl posts to, and what it asks a proxy for. */
  const servers = () => [
    { url: tls.url, name: 'HTTPS_PROXY', line: `CONNECT ${new URL(tls.url).host}` },
    { url: on.hub.origin, name: 'HTTP_PROXY', line: `POST ${on.hub.origin}/api/public/v1/messages` },
  ];

  type Server = ReturnType<typeof servers>[number];

  test('posts and lists through the proxy of the environment, with its password', async () => {
    const atServer = async ({ url, name, line }: Server) => {
      using proxy = await startForwardProxy();
      const env = { HUB_URL: url, [name]: `http://ada:p%40ss@127.0.0.1:${proxy.port}` };
      expect(await hubctl(['post', 'Hello'], env)).toMatchObject({ code: 0, stderr: '' });
      expect(proxy.asked.splice(0)).toEqual([`${line} ada:p@ss`]);
      const plain = { HUB_URL: url, [name.toLowerCase()]: `http://127.0.0.1:${proxy.port}` };
      expect((await hubctl(['hubs', 'list'], plain)).stdout).toContain('Releases');
      expect(proxy.asked.splice(0)).toHaveLength(1);
    };
    await Promise.all(servers().map(atServer));
  });

  test('tail goes the same way with all its requests and its WebSocket', async () => {
    const atServer = async ({ url, name }: Server) => {
      using proxy = await startForwardProxy();
      await on.post('messages', { text: 'Earlier' });
      const env = { PATH: process.env.PATH, ...own(), HUB_URL: url, [name]: `http://127.0.0.1:${proxy.port}` };
      const tail = Bun.spawn([...(await program()), 'tail', 'Releases', '--json', '--since', 'all'], { env });
      const text = `Live at ${crypto.randomUUID()}`;
      let output = '';
      for await (const chunk of tail.stdout) {
        if (output === '') await on.post('messages', { text });
        output += new TextDecoder().decode(chunk);
        if (output.includes(text)) tail.kill('SIGTERM');
      }
      expect(await tail.exited).toBe(0);
      expect(proxy.asked).toContain(`CONNECT ${new URL(url).host}`);
    };
    await Promise.all(servers().map(atServer));
  });

  test('goes past the proxy for hosts in NO_PROXY, and over the socket', async () => {
    using proxy = await startForwardProxy(407);
    const proxies = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    const env = { ...proxies, HUB_URL: tls.url, no_proxy: 'example.com, localhost, 127.0.0.1' };
    const local = { ...proxies, HUB_TOKEN: '', HUB_ADMIN_SOCKET: on.hub.socketPath };
    const [posted, listed] = await Promise.all([hubctl(['post', 'Hello'], env), hubctl(['hubs', 'list'], local)]);
    expect(posted).toMatchObject({ code: 0, stderr: '' });
    expect(listed.code).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  test('names a proxy that is dead or refuses', async () => {
    using refusing = await startForwardProxy(407);
    using dead = await startForwardProxy();
    dead[Symbol.dispose]();
    const host = new URL(tls.url).origin;
    const expectProblem = async (argv: string[], port: number, before: string, after: string) => {
      const env = { HUB_URL: tls.url, HTTPS_PROXY: `http://ada:secret@127.0.0.1:${port}` };
      const { code, stderr } = await hubctl(argv, env);
      expect([code, stderr.includes('secret')]).toEqual([3, false]);
      expect(stderr).toContain(`${before} http://127.0.0.1:${port} (HTTPS_PROXY)${after}`);
      expect(stderr).toContain('Check HTTPS_PROXY, or add localhost to NO_PROXY.');
    };
    const problems = [['post', 'Hello'], ['hubs', 'list'], ['tail']].flatMap((argv) => [
      expectProblem(argv, dead.port, 'Cannot reach the proxy', ': ECONNREFUSED.'),
      expectProblem(argv, refusing.port, 'The proxy', ` does not connect to ${host}.`),
    ]);
    await Promise.all(problems);
  });

  test('still checks the certificate of a server behind a proxy', async () => {
    using proxy = await startForwardProxy();
    const env = { HUB_URL: tls.url, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: '' };
    const stderr = expect.stringContaining('is not trusted');
    expect(await hubctl(['post', 'Hello'], env)).toMatchObject({ code: 3, stderr });
  });
});
