import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildToken, type IssuedKey, KEY_PREFIX } from '@hub/contract';
import { until } from '@hub/testkit/concurrency';
import { freePort } from '@hub/testkit/server';
import { REPOSITORY, type ServerProcess, spawnServer } from '@hub/testkit/server-process';

const CERTIFICATES = join(REPOSITORY, 'packages/testkit/src/in-process/tls');
const READY_MS = 15_000;
const FRAME_MS = 10_000;
/** Linux accepts every address of 127.0.0.0/8, so the client can have another one than the proxy. */
const CLIENT = '127.0.0.7';
const OTHER_CLIENT = '127.0.0.8';
/** Has the right form and checksum, but was never issued. */
const WRONG_KEY = buildToken(KEY_PREFIX, 'x'.repeat(34));
const MAX_WRONG_KEYS = 60;
/** The server answers the next wrong keys of a client this slowly, or more slowly. */
const SLOW_S = 0.9;
/** As a client sends that wants to hide its address. */
const FORGED = '203.0.113.9';

const ADA = { email: 'ada@example.org', password: 'correct horse battery' };
const INSECURE = { tls: { rejectUnauthorized: false } };

interface Ports {
  readonly server: number;
  readonly http: number;
  readonly https: number;
}

interface ProxyProgram {
  readonly name: string;
  readonly command: string;
  /** Writes its configuration into the folder, and returns the command line. */
  configure(folder: string, ports: Ports): string[];
}

const NGINX: ProxyProgram = {
  name: 'nginx',
  command: 'nginx',
  configure: (folder, ports) => {
    copyFileSync(join(CERTIFICATES, 'first-cert.pem'), join(folder, 'hub.pem'));
    copyFileSync(join(CERTIFICATES, 'first-key.pem'), join(folder, 'hub.key'));
    const site = adapted('ops/nginx/hub.conf', {
      'server 127.0.0.1:3000;': `server 127.0.0.1:${ports.server};`,
      'listen 80': `listen 127.0.0.1:${ports.http}`,
      'listen 443': `listen 127.0.0.1:${ports.https}`,
      'listen [::]:': '# listen [::]:',
      'hub.example.org': 'localhost',
      '/etc/ssl/hub': join(folder, 'hub'),
    });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const main = [
      'daemon off; error_log stderr;',
      // Its workers must be able to use the temporary folder.
      process.getuid?.() === 0 ? 'user root;' : '',
      `pid ${join(folder, 'nginx.pid')};`,
      'events {}',
      'http {',
      ...temporary.map((name) => `${name}_temp_path ${join(folder, name)};`),
      'access_log off;',
      site,
      '}',
    ];
    writeFileSync(join(folder, 'nginx.conf'), main.join('\n'));
    return ['nginx', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
  },
};

const CADDY: ProxyProgram = {
  name: 'Caddy',
  command: 'caddy',
  configure: (folder, ports) => {
    const name = '{$HUB_DOMAIN:hub.example.org}';
    const site = adapted('ops/caddy/Caddyfile', {
      [`\nhttps://${name} {`]: `\nhttps://localhost {\n\ttls ${CERTIFICATES}/first-cert.pem ${CERTIFICATES}/first-key.pem`,
      [name]: 'localhost',
      '{$HUB_ADDRESS:127.0.0.1:3000}': `127.0.0.1:${ports.server}`,
    });
    const options = `{\n\tadmin off\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n}\n`;
    writeFileSync(join(folder, 'Caddyfile'), options + site);
    return ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  },
};

const PATH = `${process.env.PATH}:/usr/sbin`;
/** Without the program, these tests are skipped, but not in CI. */
const isMissing = ({ command }: ProxyProgram) => !process.env.CI && Bun.which(command, { PATH }) === null;

describe.each([NGINX, CADDY].filter((program) => !isMissing(program)))('the configuration for $name', (program) => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-proxy-'));
  const [port, http, https] = [freePort(), freePort(), freePort()];
  const base = `https://localhost:${https}`;
  let server: ServerProcess;
  let child: Bun.Subprocess;
  let hubId: string;
  let issued: IssuedKey;

  beforeAll(async () => {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const env = { HUB_PORT: String(port), HUB_BASE_URL: base, HUB_TRUSTED_PROXIES: '127.0.0.1' };
    server = spawnServer({ dataDir, env });
    child = Bun.spawn(program.configure(folder, { server: port, http, https }), {
      env: { PATH, HOME: folder },
      stdout: 'ignore',
      stderr: Bun.file(join(folder, 'stderr')),
    });
    const isReady = () =>
      fetch(`${base}/readyz`, INSECURE).then(
        ({ ok }) => ok,
        () => false,
      );
    if (!(await until(READY_MS, isReady))) throw new Error(readFileSync(join(folder, 'stderr'), 'utf8'));
    hubId = (await server.admin.createHub('Deploys')).id;
    issued = await server.admin.issueKey({ hubId });
    const { id } = await server.admin.request('POST /users', { body: { ...ADA, name: 'Ada', role: 'member' } });
    await server.admin.request('POST /hubs/{hubId}/members', { hubId, body: { userId: id } });
  });
  afterAll(async () => {
    child.kill();
    await child.exited;
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const post = (text: string, ...headers: string[]) =>
    curl(folder, `${base}/api/public/v1/messages`, {
      headers: [`Authorization: Bearer ${issued.key}`, 'Content-Type: application/json', ...headers],
      body: JSON.stringify({ text }),
    });

  test("forwards a post with the client's address, whatever the client claims", async () => {
    expect((await post('through the proxy', `X-Forwarded-For: ${FORGED}`)).status).toBe(201);
    const { items } = await server.admin.request('GET /keys/{keyId}/addresses', { keyId: issued.id });
    expect(items.map(({ address }) => address)).toEqual([CLIENT]);
  });

  test('slows down wrong keys of one client only', async () => {
    const wrong = { headers: [`Authorization: Bearer ${WRONG_KEY}`, `X-Forwarded-For: ${FORGED}`], body: '{}' };
    const secondsOf = async (from: string) => {
      const startedMs = performance.now();
      const { status } = await curl(folder, `${base}/api/public/v1/messages`, { ...wrong, from });
      return status === 401 ? (performance.now() - startedMs) / 1000 : Number.NaN;
    };
    let slowest = 0;
    for (let attempt = 0; attempt < MAX_WRONG_KEYS && slowest < SLOW_S; attempt += 1) slowest = await secondsOf(CLIENT);
    expect(slowest).toBeGreaterThanOrEqual(SLOW_S);
    expect(await secondsOf(OTHER_CLIENT)).toBeLessThan(SLOW_S);
  });

  test('leaves the limit of a body to the server', async () => {
    const { status, body } = await post('x'.repeat(3 * 1024 * 1024));
    expect(status).toBe(413);
    // An error of the server, and not a page of the proxy.
    expect(body).toStartWith('{"statusCode":413,');
  });

  test('redirects HTTP to HTTPS', async () => {
    expect((await curl(folder, `http://localhost:${http}/hubs`, { headers: [] })).status).toBe(301);
  });

  test('closes connections for another name over HTTP and HTTPS', async () => {
    const foreign = { headers: ['Host: evil.example'] };
    const responses = await Promise.all([`http://localhost:${http}/`, base].map((url) => curl(folder, url, foreign)));
    expect(responses.map(({ status }) => status)).toEqual([0, 0]);
  });

  test('offers authenticated encryption only', () => {
    const suites = ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-GCM-SHA256'];
    expect(suites.filter((suite) => accepts(https, suite))).toEqual(['ECDHE-ECDSA-AES128-GCM-SHA256']);
  });

  test('lets a user sign in with a cookie for HTTPS only, and forwards live events', async () => {
    const session = await fetch(`${base}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base },
      body: JSON.stringify(ADA),
      ...INSECURE,
    });
    const setCookie = session.headers.getSetCookie()[0] ?? '';
    expect(setCookie).toContain('Secure');
    const frame = await firstEvent(`${base.replace('https', 'wss')}/api/v1/live`, {
      headers: { cookie: setCookie.split(';')[0] ?? '', origin: base },
      subscribe: { type: 'subscribe', hubId },
      onSubscribed: () => post('live'),
    });
    expect(frame).toContain('"text":"live"');
  });
});

/** Reads a configuration from the repository, and replaces what differs here: ports, names and paths. */
function adapted(path: string, changes: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(REPOSITORY, path), 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

interface CurlRequest {
  readonly headers: readonly string[];
  readonly body?: string;
  readonly from?: string;
}

/** Sends a request from another local address, which `fetch` cannot do. */
async function curl(folder: string, url: string, { headers, body, from = CLIENT }: CurlRequest) {
  const file = join(folder, 'body.json');
  if (body !== undefined) writeFileSync(file, body);
  const argv = ['curl', '-sk', '-4', '--interface', from, '--max-time', '15', '-w', '\n%{http_code}', url];
  for (const header of headers) argv.push('-H', header);
  if (body !== undefined) argv.push('--data-binary', `@${file}`);
  const output = await new Response(Bun.spawn(argv, { stdout: 'pipe' }).stdout).text();
  const end = output.lastIndexOf('\n');
  return { status: Number(output.slice(end + 1)), body: output.slice(0, end) };
}

/** Whether a client of TLS 1.2 that has only this suite can connect. */
function accepts(port: number, suite: string): boolean {
  // Debian's own configuration forbids such clients.
  const args = ['s_client', '-connect', `127.0.0.1:${port}`, '-servername', 'localhost', '-tls1_2', '-cipher'];
  const options = { stdin: 'ignore', stderr: 'ignore', env: { ...process.env, OPENSSL_CONF: '/dev/null' } } as const;
  const { stdout } = Bun.spawnSync(['openssl', ...args, `${suite}:@SECLEVEL=0`], options);
  return stdout.toString().includes(`Cipher is ${suite}`);
}

interface Following {
  readonly headers: Record<string, string>;
  readonly subscribe: object;
  readonly onSubscribed: () => unknown;
}

/** Follows a Hub, and resolves with the first frame of an event, or with the reason why there is none. */
function firstEvent(url: string, { headers, subscribe, onSubscribed }: Following): Promise<string> {
  const found = Promise.withResolvers<string>();
  const socket = new WebSocket(url, { headers, ...INSECURE });
  socket.onopen = () => socket.send(JSON.stringify(subscribe));
  socket.onmessage = ({ data }) => {
    if (String(data).includes('"type":"subscribed"')) onSubscribed();
    if (String(data).includes('"type":"event"')) found.resolve(String(data));
  };
  socket.onclose = ({ code, reason }) => found.resolve(`closed with ${code} ${reason}`);
  setTimeout(() => found.resolve('no frame in time'), FRAME_MS).unref();
  return found.promise.finally(() => socket.close());
}
