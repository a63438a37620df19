import { afterAll, beforeAll, expect, setDefaultTimeout } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres, onlyOnSqlite } from '@hub/testkit/in-process/test-storage';
import { buildVersion } from '../../scripts/build-version.ts';
import type { Component } from '../../scripts/licenses.ts';
import web from '../web/package.json';
import api from './package.json';

setDefaultTimeout(180_000);

const root = resolve(import.meta.dir, '../..');

const folder = mkdtempSync(join(tmpdir(), 'hub-executable-'));
const program = join(folder, 'hub');
const dataDir = join(folder, 'data');
const build = (outfile: string) =>
  Bun.spawnSync([process.execPath, resolve(import.meta.dir, 'build.ts'), '--outfile', outfile]).exitCode;
beforeAll(() => {
  expect(build(program)).toBe(0);
  // The server starts here. Bun by itself would obey these files, and no test below would pass.
  writeFileSync(join(folder, '.env'), 'HUB_BASE_URL=nonsense\n');
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./hostile.ts"]\n');
  writeFileSync(join(folder, 'hostile.ts'), 'process.exit(99);\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the executable. */
async function start(env: Record<string, string> = {}) {
  const server = Bun.spawn([program], {
    cwd: folder,
    env: { HUB_DATA_DIR: dataDir, HUB_PORT: '0', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let log = '';
  const decoder = new TextDecoder();
  for await (const chunk of server.stdout) {
    log += decoder.decode(chunk);
    if (log.includes('"msg":"Serving"')) break;
  }
  const url = /"localUrl":"([^"]+)"/.exec(log)?.[1] ?? '';
  const admin = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://hub/api/v1${path}`, {
      unix: join(env.HUB_DATA_DIR ?? dataDir, 'admin.sock'),
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    expect(response.status).toBeLessThan(300);
    return response;
  };
  const stop = async () => {
    server.kill();
    expect(await server.exited).toBe(0);
  };
  return { url, admin, stop };
}

/** Creates a Hub on a server and posts to it. */
async function postOn({ admin, url }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const hub = (await (await admin('POST', '/hubs', { name: 'Ops' })).json()) as { id: string };
  const issued = await admin('POST', '/keys', { hubId: hub.id, name: 'ci', scopes: ['messages:create'] });
  const { key } = (await issued.json()) as { key: string };
  const posted = await fetch(`${url}/api/public/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Deployed from one file' }),
  });
  expect(posted.status).toBe(201);
}

const sameOnBoth = onlyOnSqlite('the build is the same');

sameOnBoth.test('a second build in another folder gives the same bytes', async () => {
  expect(build(join(folder, 'again/hub'))).toBe(0);
  const [once, again] = await Promise.all([program, join(folder, 'again/hub')].map((file) => Bun.file(file).bytes()));
  expect(once && again && Buffer.compare(once, again)).toBe(0);
});

sameOnBoth.test(
  'the bill of materials and the license notices beside the executable name every package in it',
  async () => {
    const bom = (await Bun.file(join(folder, 'hub.sbom.json')).json()) as { components: Component[] };
    const notices = await Bun.file(join(folder, 'hub.licenses.txt')).text();
    const names = bom.components.map(({ name }) => name);
    const direct = Object.keys({ ...api.dependencies, ...web.dependencies }).filter(
      (name) => !name.startsWith('@hub/'),
    );
    expect(names).toEqual(expect.arrayContaining(['bun', 'cookie', ...direct]));
    for (const { name, version, licenses } of bom.components) {
      const [{ license }] = licenses;
      expect(notices).toContain(`${name} ${version} (${license.name})\n\n${license.text.content}\n`);
      expect(license.text.content).toContain('opyright');
    }
  },
);

onlyOnSqlite('PostgreSQL has backups of its own').test(
  'the compiled server migrates, serves the web app, stores posts, searches them and backs up, without the repository',
  async () => {
    const first = await start();
    expect(await (await first.admin('GET', '/status')).json()).toMatchObject({ version: buildVersion(root) });
    await postOn(first);

    const page = await (await fetch(first.url, { headers: { accept: 'text/html' } })).text();
    const [, asset = ''] = /src="(\/app\/main-[^"]+\.js)"/.exec(page) ?? [];
    expect((await fetch(`${first.url}${asset}`)).status).toBe(200);
    expect((await fetch(`${first.url}/api/docs`)).status).toBe(200);
    await first.stop();

    const second = await start();
    const stream = (await (await second.admin('GET', '/stream')).json()) as { items: { text: string }[] };
    expect(stream.items.map(({ text }) => text)).toEqual(['Deployed from one file']);
    const search = async () => (await (await second.admin('GET', '/search?q=Deployed')).json()) as { items: object[] };
    while ((await search()).items.length === 0) await Bun.sleep(20);
    expect((await (await second.admin('POST', '/backups')).bytes()).length).toBeGreaterThan(10_000);
    await second.stop();
  },
);

onlyOnPostgres.test('the compiled server moves its workspace to PostgreSQL, and serves it from there', async () => {
  const first = await start();
  await postOn(first);
  await first.stop();
  const HUB_DATABASE_URL = await createDatabase({ template: 'template0' });
  const move = Bun.spawn([program, 'move', '--from', dataDir, '--json'], { env: { HUB_DATABASE_URL }, stdout: 'pipe' });
  expect(await move.stdout.json()).toMatchObject({ hubs: 1, items: 1 });
  const server = await start({ HUB_DATABASE_URL, HUB_DATA_DIR: join(folder, 'node') });
  const { items } = (await (await server.admin('GET', '/search?q=Deployed')).json()) as { items: object[] };
  expect(items).toHaveLength(1);
  await server.stop();
});
