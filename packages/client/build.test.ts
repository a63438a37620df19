import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiReport, buildClient } from './build.ts';
import packageJson from './package.json' with { type: 'json' };
import * as blocksSource from './src/blocks/index.ts';
import * as source from './src/index.ts';
import * as liveSource from './src/live/index.ts';

/** A consumer's project whose only dependency is the built package. */
let project: string;
let dist: string;

beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'hub-consumer-')));
  dist = join(project, 'node_modules/@hub/client');
  await mkdir(join(project, 'node_modules/@hub'), { recursive: true });
  await buildClient(dist);
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
}, 60_000);

afterAll(() => rm(project, { recursive: true, force: true }));

async function run(...command: string[]) {
  const child = Bun.spawn(command, { cwd: project, stderr: 'pipe' });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { output: output + errors, exitCode };
}

async function typeCheck(program: string, ...options: string[]) {
  await writeFile(join(project, 'program.ts'), program);
  const tsc = join(import.meta.dir, '../../node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit', '--types', ''];
  return await run(
    'bun',
    tsc,
    ...strict,
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,esnext.disposable',
    ...options,
    'program.ts',
  );
}

describe('the published folder', () => {
  test('contains the manifest, README and license, and for each entry point a module and its types', async () => {
    expect((await readdir(dist)).filter((name) => name !== 'LICENSE').sort()).toEqual([
      'README.md',
      'blocks.cjs',
      'blocks.d.cts',
      'blocks.d.ts',
      'blocks.js',
      'index.cjs',
      'index.d.cts',
      'index.d.ts',
      'index.js',
      'live.cjs',
      'live.d.cts',
      'live.d.ts',
      'live.js',
      'package.json',
    ]);
    const manifest = await Bun.file(join(dist, 'package.json')).json();
    expect(manifest).toMatchObject({ name: '@hub/client', type: 'module', engines: { node: '>=20' } });
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
    // npm publishes the folder, but refuses to publish the sources, whose manifest names files that do not exist.
    expect([manifest.private, packageJson.private]).toEqual([undefined, true]);
  });

  test.each(['index', 'blocks', 'live'])('%s imports nothing and uses no runtime-specific API', async (name) => {
    const code = await Bun.file(join(dist, `${name}.js`)).text();
    const types = await Bun.file(join(dist, `${name}.d.ts`)).text();
    const scanned = new Bun.Transpiler({ loader: 'js' }).scan(code);
    expect(scanned.imports).toEqual([]);
    expect(types.replace(/\/\*[\s\S]*?\*\//g, '')).not.toMatch(/\bimport\b|\bfrom '|@hub\/|reference types/);
    expect(code).not.toMatch(/\b(Bun|Deno|Buffer|process|require)[.(]|\bnode:|\bcrypto\b/);
  });

  test.each([
    ['@hub/client', 'index', source],
    ['@hub/client/blocks', 'blocks', blocksSource],
    ['@hub/client/live', 'live', liveSource],
  ] as const)('%s exports the same names as its source, and no test helpers', async (specifier, name, exported) => {
    const script = `import * as all from "${specifier}"; console.log(JSON.stringify(Object.keys(all)))`;
    await writeFile(join(project, 'names.mjs'), script);
    for (const runtime of ['node', process.execPath]) {
      const { output, exitCode } = await run(runtime, 'names.mjs');
      expect({ exitCode, names: JSON.parse(output).sort() }).toEqual({
        exitCode: 0,
        names: Object.keys(exported).sort(),
      });
    }
    const types = await Bun.file(join(dist, `${name}.d.ts`)).text();
    for (const exportedName of Object.keys(exported)) {
      expect(types.slice(types.lastIndexOf('export {'))).toMatch(new RegExp(`\\b${exportedName}\\b`));
    }
    expect(types).not.toMatch(/RUNTIME_ENVIRONMENT|Pacer|Clock|readFrame/);
  });
});

test('api.md has the API of the package: run `bun packages/client/build.ts --api-report`', async () => {
  expect(await apiReport(dist)).toBe(await Bun.file(join(import.meta.dir, 'api.md')).text());
});

test.each([
  ["import { HubClient } from '@hub/client'", 9_000],
  ["import { html, list, paragraph } from '@hub/client/blocks'", 500],
])('%s adds less than %d bytes to a minified, compressed program', async (statement, maxBytes) => {
  const names = /\{(.*)\}/.exec(statement)?.[1];
  await writeFile(join(project, 'smallest.js'), `${statement};\nconsole.log(${names});`);
  const { outputs } = await Bun.build({ entrypoints: [join(project, 'smallest.js')], minify: true });
  const bytes = Bun.gzipSync((await outputs[0]?.arrayBuffer()) ?? new ArrayBuffer(0)).length;
  expect(bytes).toBeGreaterThan(maxBytes / 2);
  expect(bytes).toBeLessThan(maxBytes);
});

const program = `
import { HubClient, HubApiError, HubBlockedError, HubError, withRunMarker } from '@hub/client';
import type { Block, CreatedMessage, CreateTodoInput, HubResponse, HubClientOptions, PostOptions } from '@hub/client';

const options: HubClientOptions = { baseUrl: new URL('https://hub.example.com'), apiKey: 'k', waitWhenBlocked: 5_000 };
const hub = new HubClient({ ...options, fetch, timeoutMs: undefined });
const calls: PostOptions = { signal: AbortSignal.timeout(5), onResponse: (response: HubResponse) => response.rateLimit?.remaining };
const message: CreatedMessage = await hub.messages.create({ text: withRunMarker('x', 'r') }, calls);
const saved: { blocks: { id?: string; type: string; data: any }[] } = { blocks: [] };
const blocks: Block[] = saved.blocks;
await hub.messages.create({ blocks });
const bucketId: string = (await hub.notes.create({ content: message.conversationId, title: undefined })).bucketId;
const todo: CreateTodoInput = { title: bucketId, dueDate: new Date(), priority: 'LOW', content: null };
await hub.todos.create(todo).catch((error: unknown) => {
  if (error instanceof HubBlockedError) return error.retryAfterSeconds.toFixed();
  if (error instanceof HubApiError) return error.statusCode + error.message + error.timestamp + error.path + error.requestId;
  if (error instanceof HubError) return error.mayHaveCreated;
  throw error;
});
// @ts-expect-error A message needs text or blocks.
await hub.messages.create({});
// @ts-expect-error A to-do needs a title.
await hub.todos.create({ content: 'x' });
// @ts-expect-error Unknown priority.
await hub.todos.create({ title: 'x', priority: 'low' });
// @ts-expect-error The compiler reports a misspelled field.
await hub.todos.create({ title: 'x', dueDte: new Date() });
// @ts-expect-error The response to a note has a bucket, not a conversation.
(await hub.notes.create({ content: 'x' })).conversationId;
// @ts-expect-error A client needs a key.
new HubClient({ baseUrl: 'https://hub.example.com' });
`;

const liveProgram = `
import { applyEvent, connectLive } from '@hub/client/live';
import type { EventFrame, Following, Items, Live, LiveSocket, LiveState, Message, Position } from '@hub/client/live';

const createSocket = (url: string): LiveSocket => new WebSocket(url);
const onState = (state: LiveState) => (state.status === 'waiting' ? state.delayMs.toFixed() + state.reason : state.status);
const live: Live = connectLive({ baseUrl: new URL('https://hub.example.com'), token: 'x', createSocket, fetch, onState });
let items: Items = new Map();
const onEvent = async (event: EventFrame) => {
  items = applyEvent(items, event);
  if (event.event === 'items.pruned') return event.data.before;
  if (event.event === 'hub.changed') return event.data.retentionDays?.toFixed();
};
const followed: Following = live.follow('hub_1', { after: 0, onEvent, onReset: () => {}, onEnd: ({ code, message }) => code + message });
const position: Position | undefined = followed.position;
if (position) followed.setPosition(position.seq, position.epoch);
for (const item of items.values()) if (item.kind === 'message') (item satisfies Message).replyCount.toFixed();
followed.stop();
live.wake();
live.close();
// @ts-expect-error onReset is required.
live.follow('hub_1', { onEvent });
// @ts-expect-error Unknown event.
const unknown: EventFrame['event'] = 'message.gone';
`;

describe('the types of the published folder', () => {
  test.each([
    ['HubClient', 'bundler', program],
    ['HubClient', 'nodenext', program],
    ['connectLive', 'bundler', liveProgram],
    ['connectLive', 'nodenext', liveProgram],
  ])('compile in a strict program with %s and module resolution %s', async (_, resolution, text) => {
    const module = resolution === 'nodenext' ? 'nodenext' : 'preserve';
    const { output, exitCode } = await typeCheck(text, '--module', module, '--moduleResolution', resolution);
    expect({ output, exitCode }).toEqual({ output: '', exitCode: 0 });
  });

  test.each([
    ['of the package', join(import.meta.dir, 'README.md')],
    ['of the repository', join(import.meta.dir, '../../README.md')],
  ])('accept every example in the README %s', async (_, readme) => {
    const environment = `import type { HubClient } from '@hub/client';
import type { Item, Position } from '@hub/client/live';
declare global {
  var process: { env: Record<string, string | undefined> };
  var Bun: { env: Record<string, string | undefined> };
  var Deno: { env: { get(name: string): string | undefined } };
  var hub: HubClient;
  var log: Console;
  var text: string;
  var baseUrl: string;
  var apiKey: string;
  var hubId: string;
  var list: Position;
  function loadTheLists(hubId: string): Promise<Position & { items: Item[] }>;
}`;
    const examples = [...(await Bun.file(readme).text()).matchAll(/```ts\n([\s\S]*?)```/g)];
    expect(examples.length).toBeGreaterThan(0);
    const files = await Promise.all(
      examples.map(async ([, example], index) => {
        await writeFile(join(project, `example${index}.ts`), `${example}\nexport {};`);
        return `example${index}.ts`;
      }),
    );
    const { output, exitCode } = await typeCheck(
      environment,
      ...['--module', 'nodenext', '--moduleResolution', 'nodenext'],
      ...files,
    );
    expect({ output, exitCode }).toEqual({ output: '', exitCode: 0 });
  });

  test('make the compiler reject an invalid program', async () => {
    const wrong = `import { HubClient } from '@hub/client';\nconst n: number = HubClient;`;
    const { output, exitCode } = await typeCheck(wrong, '--module', 'nodenext', '--moduleResolution', 'nodenext');
    expect(exitCode).not.toBe(0);
    expect(output).toContain("Type 'typeof HubClient' is not assignable to type 'number'");
  });
});
