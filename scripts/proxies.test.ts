import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuedKey } from '@hub/contract';
import { Recorder, until } from '@hub/testkit/concurrency';
import { freePort } from '@hub/testkit/server';
import { REPOSITORY, type ServerProcess, spawnServer } from '@hub/testkit/server-process';

const CERTIFICATES = join(REPOSITORY, 'packages/testkit/src/in-process/tls');
const READY_MS = 60_000;
/** Linux accepts every address of 127.0.0.0/8, so the client can have another one than the proxy. */
const CLIENT = '127.0.0.7';

const ADA = { email: 'ada@example.org', password: 'correct horse battery' };
const INSECURE = { tls: { rejectUnauthorized: false } };

interface ProxyProgram {
  readonly name: string;
  readonly command: string;
  /** Writes its configuration into the folder, and returns the command line. */
  configure(folder: string, ports: Record<'server' | 'http' | 'https', number>): string[];
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
    const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
    // Its workers must be able to use the temporary folder.
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    const main = `daemon off; error_log stderr; pid ${join(folder, 'nginx.pid')}; ${user}`;
    writeFileSync(join(folder, 'nginx.conf'), `${main} events {} http { access_log off; ${paths}\n${site}\n}`);
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
    await server.serving();
    const isReady = () =>
      fetch(`${base}/readyz`, INSECURE)
        .then(({ ok }) => ok)
        .catch(() => false);
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

  const post = (text: string, ...headers: string[]) => {
    const own = [`Authorization: Bearer ${issued.key}`, 'Content-Type: application/json', ...headers];
    return curl(folder, `${base}/api/public/v1/messages`, own, JSON.stringify({ text }));
  };

  test("forwards a post with the client's address, whatever the client claims", async () => {
    expect((await post('through the proxy', 'X-Forwarded-For: 203.0.113.9')).status).toBe(201);
    const { items } = await server.admin.request('GET /keys/{keyId}/addresses', { keyId: issued.id });
    expect(items.map(({ address }) => address)).toEqual([CLIENT]);
  });

  test('leaves the limit of a body to the server', async () => {
    const { status, body } = await post('x'.repeat(3 * 1024 * 1024));
    expect(status).toBe(413);
    // An error of the server, and not a page of the proxy.
    expect(body).toStartWith('{"statusCode":413,');
  });

  test('redirects HTTP to HTTPS, and closes connections for another name over both', async () => {
    expect((await curl(folder, `http://localhost:${http}/hubs`, [])).status).toBe(301);
    for (const url of [`http://localhost:${http}/`, base])
      expect((await curl(folder, url, ['Host: evil.example'])).status).toBe(0);
  });

  test('offers authenticated encryption only', () => {
    const suites = ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-GCM-SHA256'];
    expect(suites.filter((suite) => accepts(https, suite))).toEqual(['ECDHE-ECDSA-AES128-GCM-SHA256']);
  });

  test('lets a user sign in with a cookie for HTTPS only, and forwards live events', async () => {
    const headers = { 'content-type': 'application/json', origin: base };
    const init = { method: 'POST', headers, body: JSON.stringify(ADA), ...INSECURE };
    const session = await fetch(`${base}/api/v1/session`, init);
    const setCookie = session.headers.getSetCookie()[0] ?? '';
    expect(setCookie).toContain('Secure');
    const own = { cookie: setCookie.split(';')[0] ?? '', origin: base };
    const socket = new WebSocket(`${base.replace('https', 'wss')}/api/v1/live`, { headers: own, ...INSECURE });
    const frames = new Recorder<string>();
    socket.onopen = () => socket.send(JSON.stringify({ type: 'subscribe', hubId }));
    socket.onmessage = ({ data }) => frames.add(String(data));
    socket.onclose = ({ code, reason }) => frames.add(`closed with ${code} ${reason}`);
    await frames.first((frame) => /"type":"subscribed"|^closed/.test(frame));
    await post('live');
    expect(await frames.first((frame) => /"type":"event"|^closed/.test(frame))).toContain('"text":"live"');
    socket.close();
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

/** Sends a request from another local address, which `fetch` cannot do. */
async function curl(folder: string, url: string, headers: string[], body?: string) {
  const argv = ['curl', '-sk', '-4', '--interface', CLIENT, '--max-time', '15', '-w', '\n%{http_code}', url];
  argv.push(...headers.flatMap((header) => ['-H', header]));
  if (body !== undefined) {
    const file = join(folder, 'body.json');
    writeFileSync(file, body);
    argv.push('--data-binary', `@${file}`);
  }
  const output = await Bun.spawn(argv, { stdout: 'pipe' }).stdout.text();
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
