import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@hub/testkit/run-program';
import { apiReport, buildClient } from './build.ts';
import packageJson from './package.json' with { type: 'json' };

/** A consumer's project whose only dependency is the built package. */
let project: string;
let dist: string;

beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'hub-consumer-')));
  dist = join(project, 'node_modules/@hub/client');
  await mkdir(join(project, 'node_modules/@hub'), { recursive: true });
  await buildClient(dist);
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
}, 180_000);

afterAll(() => rm(project, { recursive: true, force: true }));

/** Compiles these programs in strict mode. */
async function typeCheck(programs: Record<string, string>, ...options: string[]) {
  for (const [name, program] of Object.entries(programs)) await writeFile(join(project, name), program);
  const tsc = join(import.meta.dir, '../../node_modules/typescript/bin/tsc');
  const strict = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --target es2022';
  const libraries = ['--types', '', '--lib', 'es2022,dom,esnext.disposable'];
  const argv = ['bun', tsc, ...strict.split(' '), ...libraries, ...options, ...Object.keys(programs)];
  return await runProgram(argv, { cwd: project });
}

describe('the published folder', () => {
  test('contains the manifest, README and license, and for each entry point a module and its types', async () => {
    const isChunk = (name: string) => /^(index|live|workspace|reader|events|reload)-[0-9a-z]{8}\.js$/.test(name);
    const names = (await readdir(dist))
      .filter((name) => !isChunk(name))
      .sort()
      .join(' ');
    const modules = ['blocks', 'index', 'live', 'workspace'].flatMap((name) =>
      ['cjs', 'd.cts', 'd.ts', 'js'].map((extension) => `${name}.${extension}`),
    );
    expect(names).toBe(['LICENSE', 'README.md', 'package.json', ...modules].sort().join(' '));
    const manifest = await Bun.file(join(dist, 'package.json')).json();
    expect(manifest).toMatchObject({ name: '@hub/client', type: 'module', engines: { node: '>=20' } });
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
    // npm publishes the folder, but refuses to publish the sources, whose manifest names files that do not exist.
    expect([manifest.private, packageJson.private]).toEqual([undefined, true]);
  });

  test.each(['index', 'blocks', 'live', 'workspace'])(
    '%s imports only its own parts and uses no runtime-specific API',
    async (name) => {
      const modules = (await readdir(dist)).filter((file) => file.startsWith(name) && file.endsWith('.js'));
      const code = (await Promise.all(modules.map((file) => Bun.file(join(dist, file)).text()))).join('\n');
      const types = await Bun.file(join(dist, `${name}.d.ts`)).text();
      for (const file of modules) {
        const scanned = new Bun.Transpiler({ loader: 'js' }).scan(await Bun.file(join(dist, file)).text());
        expect(scanned.imports.filter(({ path }) => !modules.includes(path.replace('./', '')))).toEqual([]);
      }
      expect(types.replace(/\/\*[\s\S]*?\*\//g, '')).not.toMatch(/\bimport\b|\bfrom '|@hub\/|reference types/);
      expect(code).not.toMatch(/\b(Bun|Deno|Buffer|process|require)[.(]|\bnode:|\bcrypto\b/);
    },
  );
});

test('api.md has the API of the package: run `bun packages/client/build.ts --api-report`', async () => {
  expect(await apiReport(dist)).toBe(await Bun.file(join(import.meta.dir, 'api.md')).text());
});

test.each([
  ["import { HubClient } from '@hub/client'", 7_000],
  ["import { html, list, paragraph } from '@hub/client/blocks'", 500],
])('%s adds less than %d bytes to a minified, compressed program', async (statement, maxBytes) => {
  const names = /\{(.*)\}/.exec(statement)?.[1];
  await writeFile(join(project, 'smallest.js'), `${statement};\nconsole.log(${names});`);
  const outdir = join(project, 'bundled');
  const entrypoints = [join(project, 'smallest.js')];
  await Bun.build({ entrypoints, minify: true, target: 'node', splitting: true, outdir });
  const bytes = Bun.gzipSync(await loadedAtOnce(join(outdir, 'smallest.js'))).length;
  expect(bytes).toBeGreaterThan(maxBytes / 2);
  expect(bytes).toBeLessThan(maxBytes);
});

/** Returns the code of a module with all that it imports, but not what it loads on demand. */
async function loadedAtOnce(file: string): Promise<string> {
  const code = await Bun.file(file).text();
  const imports = new Bun.Transpiler({ loader: 'js' })
    .scanImports(code)
    .filter(({ kind }) => kind === 'import-statement');
  return code + (await Promise.all(imports.map(({ path }) => loadedAtOnce(join(file, '..', path))))).join('');
}

/** The examples of the READMEs, which are compiled too, show correct programs. */
const program = `
import { HubApiError, HubBlockedError, HubClient, HubError } from '@hub/client';
import type { Block, CreateTodoInput, HubResponse, HubClientOptions, PostOptions } from '@hub/client';

const options: HubClientOptions = { baseUrl: new URL('https://hub.example.com'), apiKey: 'k', waitWhenBlocked: 5_000 };
const hub = new HubClient({ ...options, fetch, timeoutMs: undefined });
const calls: PostOptions = { signal: AbortSignal.timeout(5), onResponse: (response: HubResponse) => response.rateLimit?.remaining };
const saved: { blocks: { id?: string; type: string; data: any }[] } = { blocks: [] };
const blocks: Block[] = saved.blocks;
const { conversationId } = await hub.messages.create({ blocks }, calls);
const bucketId: string = (await hub.notes.create({ content: conversationId, title: undefined })).bucketId;
const todo: CreateTodoInput = { title: bucketId, dueDate: new Date(), priority: 'LOW', content: null };
await hub.todos.create(todo).catch((error: unknown) => {
  if (error instanceof HubBlockedError) return error.retryAfterSeconds.toFixed();
  if (error instanceof HubApiError) return error.statusCode + error.message + error.timestamp + error.path + error.requestId;
  if (error instanceof HubError) return error.mayHaveCreated;
  throw error;
});
// @ts-expect-error A message needs text or blocks.
await hub.messages.create({});
// @ts-expect-error Unknown priority.
await hub.todos.create({ title: 'x', priority: 'low' });
// @ts-expect-error The compiler reports a misspelled field.
await hub.todos.create({ title: 'x', dueDte: new Date() });
// @ts-expect-error The response to a note has a bucket, not a conversation.
(await hub.notes.create({ content: 'x' })).conversationId;
// @ts-expect-error A key is a text.
new HubClient({ apiKey: 42 });
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
live.follow('hub_2', { onEvent });
for await (const event of live.events('hub_1', { after: 0 })) {
  if (event.event === 'message.created') (event.data satisfies Message).text?.trim();
  // @ts-expect-error A to-do has no text.
  if (event.event === 'todo.changed') event.data.text;
}
// @ts-expect-error Unknown event.
const unknown: EventFrame['event'] = 'message.gone';
`;

const required = `
import { HubClient, type CreatedMessage } from '@hub/client';
import { connectLive } from '@hub/client/live';
import { paragraph } from '@hub/client/blocks';
const hub = new HubClient({ baseUrl: 'https://hub.example.com', apiKey: 'k' });
export const created: Promise<CreatedMessage> = hub.messages.create({ blocks: [paragraph('x')] });
// @ts-expect-error A message needs text or blocks.
hub.messages.create({});
connectLive satisfies Function;
`;

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

/** Every example in the READMEs of the package and the repository, as a program. */
const examples = ['README.md', '../../README.md'].flatMap((readme) => {
  const found = [...readFileSync(join(import.meta.dir, readme), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)];
  if (found.length === 0) throw new Error(`${readme} has no examples`);
  return found.map(([, text], n) => [`example-${readme.length}-${n}.ts`, `${text}\nexport {};`]);
});
const inNode = { 'program.mts': program, 'live.mts': liveProgram, 'required.cts': required };

test.each([
  ['nodenext', 'nodenext', { ...inNode, 'environment.ts': environment, ...Object.fromEntries(examples) }],
  ['preserve', 'bundler', { 'program.ts': program, 'live.ts': liveProgram }],
])(
  'the types compile in strict programs and all examples: module %s, resolution %s',
  async (module, resolution, all) => {
    const compiled = await typeCheck(all, '--module', module, '--moduleResolution', resolution);
    expect(compiled).toEqual({ stdout: '', stderr: '', code: 0 });
  },
);
