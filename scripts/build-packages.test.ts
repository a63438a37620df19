import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { runProgram } from '@hub/testkit/run-program';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { buildPackages } from './build-packages.ts';

const root = resolve(import.meta.dir, '..');
const folder = mkdtempSync(join(tmpdir(), 'hub-packages-'));
let tarballs: string[];
let projects: Map<string, Awaited<ReturnType<typeof project>>>;
let hub: TestHub;
let key: string;
let keyId: string;

beforeAll(async () => {
  [tarballs, hub] = await Promise.all([buildPackages(root, folder), startTestHub()]);
  const { id } = await hub.admin.createHub('Releases');
  ({ key, id: keyId } = await hub.admin.issueKey({ hubId: id }));
  const installed = MANAGERS.map(async ([name, , install]) => [name, await project(name, ...install)] as const);
  projects = new Map(await Promise.all(installed));
}, 180_000);

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in a folder, with the server and its key in the environment. */
async function run(cwd: string, ...command: string[]) {
  const env = { HOME: folder, HUB_URL: hub.url, HUB_API_KEY: key };
  const { stdout: output, stderr: errors, code } = await runProgram(command, { cwd, env });
  return { output, errors, code };
}

/** Creates a project that has only the tarballs installed. */
async function project(name: string, ...install: string[]) {
  const path = join(folder, name);
  mkdirSync(path);
  await Bun.write(join(path, 'package.json'), '{"private":true}');
  const { code, errors } = await run(path, ...install, ...tarballs);
  expect({ errors, code }).toMatchObject({ code: 0 });
  return {
    path,
    run: async (file: string, program: string, ...command: string[]) => {
      await Bun.write(join(path, file), program);
      return await run(path, ...command, file);
    },
  };
}

const countOfPosts = async () => (await hub.admin.showKey(keyId)).postCount;

test('the tarballs are small, have names for npm, and depend on nothing', async () => {
  const version = '1\\.0\\.0(-dev\\.g[0-9a-f]+(\\.dirty)?)?';
  expect(tarballs.map((path) => basename(path))).toEqual([
    expect.stringMatching(new RegExp(`^hub-client-${version}\\.tgz$`)),
    expect.stringMatching(new RegExp(`^hubctl-${version}\\.tgz$`)),
  ]);
  for (const tarball of tarballs) {
    expect(statSync(tarball).size).toBeLessThan(190_000);
    const files = await new Bun.Archive(await Bun.file(tarball).bytes()).files();
    const names = [...files.keys()];
    expect(names).toEqual(expect.arrayContaining(['package/package.json', 'package/README.md', 'package/LICENSE']));
    expect(names.filter((path) => /test|src\//.test(path))).toEqual([]);
    const manifest = JSON.parse((await files.get('package/package.json')?.text()) ?? '');
    expect(Object.keys(manifest).filter((field) => /dependencies|private|scripts/i.test(field))).toEqual([]);
    const program = files.get('package/hubctl.js');
    if (manifest.name !== 'hubctl') continue;
    expect(program?.size).toBeLessThan(410_000);
    expect(files.get('package/hubctl-mcp.mjs')?.size).toBeLessThan(150_000);
  }
});

test('npx runs hubctl from its tarball, also in a folder of a project, and it posts', async () => {
  await Bun.write(join(folder, 'npx', 'package.json'), '{"private":true}');
  const path = join(folder, 'npx', 'ci');
  mkdirSync(path);
  const npx = ['npx', '--yes', '--offline', '--package', tarballs[1] ?? '', 'hubctl'];
  const { output } = await run(path, ...npx, 'post', 'By npx');
  expect(output).toMatch(/\/p\/msg_\w+/);
});

const IMPORTED = `
import { HubClient } from '@hub/client';
const hub = new HubClient({ baseUrl: process.env.HUB_URL, apiKey: process.env.HUB_API_KEY });
console.log((await hub.messages.create({ text: 'By import' })).id);
`;
const REQUIRED = `
const { HubClient } = require('@hub/client');
const { connectLive } = require('@hub/client/live');
const hub = new HubClient({ baseUrl: process.env.HUB_URL, apiKey: process.env.HUB_API_KEY });
hub.messages.create({ text: 'By require' }).then(({ id }) => console.log(typeof connectLive, id));
`;
/** Posts through both copies of the client until 60 responses have arrived and the server has answered once more. */
const BOTH = `
import { createRequire } from 'node:module';
import * as imported from '@hub/client';
const required = createRequire(import.meta.url)('@hub/client');
let responses = 0;
await new Promise((resolve) => {
  const onResponse = () => {
    responses += 1;
    if (responses === 60) resolve();
  };
  for (const { HubClient } of [imported, required]) {
    const hub = new HubClient({ baseUrl: process.env.HUB_URL, apiKey: process.env.HUB_API_KEY, onResponse });
    for (let index = 0; index < 40; index += 1) hub.messages.create({ text: 'x' });
  }
});
await fetch(process.env.HUB_URL + '/readyz');
console.log(imported.HubClient !== required.HubClient, responses);
process.exit();
`;
const MANAGERS: [name: string, runtime: string, install: string[]][] = [
  ['npm', 'node', ['npm', 'install', '--offline', '--no-audit', '--no-fund', '--no-update-notifier']],
  ['bun', process.execPath, [process.execPath, 'add']],
];

describe.each(MANAGERS)('in a project of %s', (manager, runtime) => {
  let installed: Awaited<ReturnType<typeof project>>;
  beforeAll(() => {
    installed = projects.get(manager) as typeof installed;
  });

  test('the client posts by import and by require, and names a dead proxy or says that it is ignored', async () => {
    const before = await countOfPosts();
    const imported = await installed.run('posts.mjs', IMPORTED, runtime);
    expect(imported).toEqual({ output: expect.stringMatching(/^msg_\w+\n$/), errors: '', code: 0 });
    const required = await installed.run('posts.cjs', REQUIRED, runtime);
    expect(required).toEqual({ output: expect.stringMatching(/^function msg_\w+\n$/), errors: '', code: 0 });
    expect(await countOfPosts()).toBe(before + 2);

    const env = ['HTTP_PROXY=http://127.0.0.1:1', 'NODE_USE_ENV_PROXY=1', 'HUB_URL=http://hub.invalid'];
    const program = IMPORTED.replace('apiKey', 'connectRetries: 0, apiKey');
    const { errors, code } = await installed.run('proxied.mjs', program, 'env', ...env, runtime);
    const used = 'Cannot reach the proxy http://127\\.0\\.0\\.1:1 \\(HTTP_PROXY\\): ECONNREFUSED\\.';
    expect(code).toBe(1);
    // Node has used it since 22.21 and 24.5.
    expect(errors).toMatch(new RegExp(manager === 'bun' ? used : `${used}|Node ignores HTTP_PROXY, unless`));
  });

  test.each(['@hub/client', 'hubctl'])('publint finds no problems in %s', async (name) => {
    const pkgDir = join(installed.path, 'node_modules', name);
    const pkg = await Bun.file(join(pkgDir, 'package.json')).json();
    const { messages } = await publint({ pkgDir, strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('the copies of the client for import and for require share one count of requests', async () => {
    const { id } = await hub.admin.createHub('Paced');
    const paced = await hub.admin.issueKey({ hubId: id });
    const { output, errors } = await installed.run('both.mjs', BOTH, 'env', `HUB_API_KEY=${paced.key}`, 'node');
    expect({ output, errors }).toEqual({ output: 'true 60\n', errors: '' });
    expect(await hub.admin.showKey(paced.id)).toMatchObject({ state: 'active', postCount: 60 });
  });

  test('hubctl posts on Node', async () => {
    const bin = join(installed.path, 'node_modules/.bin/hubctl');
    const before = await countOfPosts();
    const { output, code } = await run(installed.path, bin, 'post', 'From hubctl on Node', '--json');
    expect({ code, id: JSON.parse(output).id }).toEqual({ code: 0, id: expect.stringMatching(/^msg_/) });
    expect(await countOfPosts()).toBe(before + 1);
  });
});
