import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { created, errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../../../test/hubctl-on-hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';
import type { Deps } from '../../runtime/deps.ts';

const MAIN = resolve(import.meta.dir, '../../main.ts');

const on = sharedHubctl();

/** Fails like a host that does not exist. The client does not retry this. */
const unreachable: Deps['fetch'] = () => Promise.reject(Object.assign(new TypeError('no'), { code: 'ENOTFOUND' }));

/** Creates a Hub with a key and an empty outbox. */
async function startOutbox() {
  const folder = temporaryFolder();
  const path = folder.file('my outbox');
  const { id: hubId } = await on.hub.admin.createHub('Outbox');
  const key = await on.hub.admin.issueKey({ hubId });
  const withKey = ({ key }: { key: string }, argv: string[], options: RunOptions = {}) =>
    on.hubctl([...argv, '--outbox', path], { ...options, env: { HUB_API_KEY: key, HUB_URL: on.hub.url } });
  const hubctl = (argv: string[], options?: RunOptions) => withKey(key, argv, options);
  interface Items {
    items: { id: string; state: string; reason: string; key: string; input: { text: string }; files: string[] }[];
  }
  const items = async () => (await hubctl(['outbox', 'list', '--json'])).json<Items>().items;
  return {
    ...{ path, key, hubId, hubctl, withKey, items },
    states: async () => (await items()).map(({ state }) => state),
    /** The texts in the Hub, oldest first. */
    texts: async () =>
      (await on.hub.admin.all('GET /hubs/{hubId}/messages', { hubId })).map(({ text }) => text).reverse(),
    [Symbol.dispose]: folder[Symbol.dispose],
  };
}

describe('a post that surely did not arrive', () => {
  test('keeps the files of a post, and uploads them when it is sent', async () => {
    using outbox = await startOutbox();
    const { hubctl, hubId, path } = outbox;
    using folder = temporaryFolder();
    await Bun.write(folder.file('build.log'), 'the end');
    const attach = ['--attach', folder.file('build.log'), '--attach', '-', '--attach-name', 'a.txt'];
    const options = { fetch: unreachable, stdin: 'piped' };
    expect((await hubctl(['post', 'The build failed', ...attach], options)).code).toBe(0);
    rmSync(folder.file('build.log'));
    expect((await outbox.items()).map(({ files }) => files)).toEqual([['build.log', 'a.txt']]);
    expect((await hubctl(['outbox', 'list'])).stdout).toContain('message: The build failed (2 files)');
    expect((await hubctl(['outbox', 'flush'])).code).toBe(0);
    const [message] = await on.hub.admin.all('GET /hubs/{hubId}/messages', { hubId });
    expect(message?.files?.map(({ name, size }) => `${name} ${size}`)).toEqual(['build.log 7', 'a.txt 5']);
    await Bun.write(folder.file('empty.log'), '');
    const error = errorOf(await hubctl(['post', 'x', '--attach', folder.file('empty.log'), '--json']));
    expect([error.exitCode, error.message]).toEqual([1, expect.stringMatching(/^empty\.log: The body is empty/)]);
    expect(readdirSync(path).filter((name) => name.includes('.file-'))).toEqual([]);
  });

  test('is kept, and sent in order before the next post', async () => {
    using outbox = await startOutbox();
    const kept = { code: 0, stdout: '', stderr: expect.stringContaining('Not posted yet: Cannot reach') };
    for (const text of ['one', 'two'])
      expect(await outbox.hubctl(['post', text], { fetch: unreachable })).toMatchObject(kept);
    const items = [{ input: { text: 'one' } }, { input: { text: 'two' } }];
    expect(await outbox.items()).toMatchObject(items.map((item) => ({ state: 'pending', ...item })));
    const ran = await outbox.hubctl(['post', 'three']);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^msg_\w+ http\S+\n$/) });
    expect(ran.stderr).toContain('Sent 2 earlier posts from the outbox.');
    expect(await outbox.texts()).toEqual(['one', 'two', 'three']);
    expect(await outbox.items()).toEqual([]);
  });

  test('is reported in the JSON document, and sent by flush with its run marker', async () => {
    using outbox = await startOutbox();
    const ran = await outbox.hubctl(['post', 'x', '--run-marker', 'b-1', '--json'], { fetch: unreachable });
    const [kept] = await outbox.items();
    expect(ran.json()).toEqual({ kept: true, outbox: outbox.path, outboxId: kept?.id, reason: expect.any(String) });
    expect(await outbox.hubctl(['outbox', 'flush', '--json'], { fetch: unreachable })).toMatchObject({ code: 3 });
    const flushed = await outbox.hubctl(['outbox', 'flush', '--json']);
    expect(flushed.json()).toMatchObject({ sent: [{ outboxId: kept?.id }], rejected: [], remaining: 0 });
    expect(await outbox.texts()).toEqual(['x\n\n`run:b-1`']);
  });

  test('is in a file that only its owner can read and that does not contain the key', async () => {
    using outbox = await startOutbox();
    await outbox.hubctl(['post', 'x'], { fetch: unreachable });
    const [file = '', ...others] = readdirSync(outbox.path).map((name) => join(outbox.path, name));
    expect(others).toEqual([]);
    expect([outbox.path, file].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(readFileSync(file, 'utf8')).not.toContain(outbox.key.key.slice(9, -4));
    expect((await outbox.items())[0]?.key).toBe(`hub_live_…${outbox.key.key.slice(-4)}`);
  });

  test('is sent only with its own key, unless --any-target is set', async () => {
    using outbox = await startOutbox();
    await outbox.hubctl(['post', 'x'], { fetch: unreachable });
    const successor = await on.hub.admin.rotateKey(outbox.key.id);
    const ran = await outbox.withKey(successor, ['outbox', 'flush']);
    const hint = 'Kept for another server or key: 1 post. Use that key, or add --any-target.';
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(hint) });
    expect((await outbox.withKey(successor, ['post', 'y'])).code).toBe(0);
    expect(await outbox.texts()).toEqual(['y']);
    expect((await outbox.withKey(successor, ['outbox', 'flush', '--any-target'])).code).toBe(0);
    expect(await outbox.texts()).toEqual(['y', 'x']);
  });

  test('is sent once and in order by several processes at the same time', async () => {
    using outbox = await startOutbox();
    const texts = Array.from({ length: 12 }, (_, index) => `post ${index}`);
    for (const text of texts) await outbox.hubctl(['post', text], { fetch: unreachable });
    const ran = await Promise.all(texts.slice(0, 5).map(() => outbox.hubctl(['outbox', 'flush'])));
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(await outbox.texts()).toEqual(texts);
  });

  test('of a kind that the key cannot post does not hold up the others', async () => {
    using outbox = await startOutbox();
    const { key } = await on.hub.admin.issueKey({ hubId: outbox.hubId, scopes: ['messages:create'] });
    await outbox.withKey({ key }, ['post', 'note', 'x'], { fetch: unreachable });
    const stderr = expect.stringContaining('rejected');
    expect(await outbox.withKey({ key }, ['post', 'y'])).toMatchObject({ code: 0, stderr });
    expect([await outbox.states(), await outbox.texts()]).toEqual([['rejected'], ['y']]);
  });

  test('blocks nothing if the server rejects it: it stays in the outbox as rejected', async () => {
    using outbox = await startOutbox();
    await outbox.hubctl(['post', 'x'.repeat(40_001)], { fetch: unreachable });
    const reason = expect.stringContaining('text has 40001 characters');
    expect(await outbox.hubctl(['post', 'good'])).toMatchObject({ code: 0, stderr: reason });
    expect(await outbox.texts()).toEqual(['good']);
    expect(await outbox.items()).toMatchObject([{ state: 'rejected', reason }]);
    const [{ id } = { id: '' }] = await outbox.items();
    expect((await outbox.hubctl(['outbox', 'flush', id])).code).toBe(1);
    const dropped = await outbox.hubctl(['outbox', 'drop', id, '--yes', '--json']);
    expect(dropped.json()).toEqual({ dropped: [id] });
    expect(await outbox.items()).toEqual([]);
  });
});

const nothing = 'The server cannot use its database at the moment. Nothing was stored; try again later.';
const never: Deps['fetch'] = (_, { signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
const reset: Deps['fetch'] = () => Promise.reject(Object.assign(new TypeError('no'), { code: 'ECONNRESET' }));
const RESPONSES: [title: string, respond: Deps['fetch'], code: number, states: string[]][] = [
  ['a block', async () => errorResponse(403, 'Blocked.', { 'retry-after': '9' }), 0, ['pending']],
  ['429 of a proxy', async () => new Response('Slow', { status: 429 }), 0, ['pending']],
  ['503 that promises that nothing was stored', async () => errorResponse(503, nothing), 0, ['pending']],
  ['507 that promises that nothing was stored', async () => errorResponse(507, nothing), 0, ['pending']],
  ['408 that promises that nothing was stored', async () => errorResponse(408, nothing), 0, ['pending']],
  ['503 of a proxy', async () => new Response(nothing, { status: 503 }), 1, ['uncertain']],
  ['503 without that promise', async () => errorResponse(503, 'No.'), 1, ['uncertain']],
  ['500', async () => errorResponse(500, 'No.'), 1, ['uncertain']],
  ['201 of another server', async () => new Response('Hi', { status: 201 }), 1, ['uncertain']],
  ['no response within the timeout', never, 3, ['uncertain']],
  ['a lost connection', reset, 3, ['uncertain']],
  ['401', async () => errorResponse(401, 'No.'), 4, []],
  ['a missing scope', async () => errorResponse(403, 'No.'), 4, []],
  ['404', async () => errorResponse(404, 'No.'), 1, []],
  ['400', async () => errorResponse(400, 'text is wrong.'), 2, []],
  ['a redirect', async () => new Response(null, { status: 307, headers: { location: 'https://x.test' } }), 1, []],
];
test.each(RESPONSES)('%s: exit code and state of the post', async (_, fetch, code, states) => {
  using outbox = await startOutbox();
  const ran = await outbox.hubctl(['post', 'x', '--timeout', '0.05'], { fetch });
  expect<unknown[]>([ran.code, await outbox.states()]).toEqual([code, states]);
  // Posts that were kept earlier stay, whatever happens.
  await outbox.hubctl(['outbox', 'drop', '--all', '--yes']);
  await outbox.hubctl(['post', 'earlier'], { fetch: unreachable });
  await outbox.hubctl(['post', 'x', '--timeout', '0.05'], { fetch });
  expect((await outbox.items()).map(({ input }) => input.text)).toContain('earlier');
});

test('a post that may have arrived is sent again only by a flush that names it', async () => {
  using outbox = await startOutbox();
  /** Loses the connection after the server has the request. */
  const late: Deps['fetch'] = (url, init) => fetch(url, init).then(() => reset(url, init));
  const command = `hubctl outbox list --outbox '${outbox.path}'`;
  const ran = await outbox.hubctl(['post', 'x', '--json'], { fetch: late });
  expect(errorOf(ran)).toMatchObject({ exitCode: 3, hint: expect.stringContaining(command) });
  await outbox.hubctl(['post', 'y']);
  const advice = expect.stringContaining(`1 post may have arrived. Check them: ${command}\n`);
  expect(await outbox.hubctl(['outbox', 'flush'])).toMatchObject({ code: 0, stderr: advice });
  const listed = await outbox.hubctl(['outbox', 'list']);
  for (const words of ['drop ID', 'flush ID'])
    expect(listed.stderr).toContain(`  hubctl outbox ${words} --outbox '${outbox.path}'\n`);
  const named = await on.hubctl(['outbox', 'list'], { env: { HUB_OUTBOX: outbox.path } });
  expect(named.stderr).toContain('  hubctl outbox drop ID\n');
  expect(await outbox.texts()).toEqual(['x', 'y']);
  // It can be dropped after a confirmation.
  expect((await outbox.hubctl(['outbox', 'drop', '--all'])).code).toBe(2);
  const no = await outbox.hubctl(['outbox', 'drop', '--all'], { responses: [false] });
  expect([no.code, no.asked]).toEqual([1, ['Delete 1 post without sending?']]);
  const [uncertain] = await outbox.items();
  expect(uncertain?.state).toBe('uncertain');
  expect((await outbox.hubctl(['outbox', 'flush', uncertain?.id ?? ''])).code).toBe(0);
  expect(await outbox.texts()).toEqual(['x', 'y', 'x']);
  await outbox.hubctl(['post', 'z'], { fetch: late });
  expect((await outbox.hubctl(['outbox', 'drop', '--all'], { responses: [true] })).code).toBe(0);
  expect(await outbox.items()).toEqual([]);
});

test('the rate limit is remembered for the next process, which keeps its post without a request', async () => {
  using outbox = await startOutbox();
  const headers = { 'ratelimit-policy': '"default";q=60;w=60', ratelimit: '"default";r=0;t=60' };
  await using server = startScriptedServer(() => created(headers));
  const env = { HUB_URL: server.url, HUB_API_KEY: outbox.key.key, HUB_OUTBOX: outbox.path };
  expect((await runHubctl(['post', 'last'], { env })).stdout).toStartWith('msg_1');
  const ran = await runHubctl(['post', 'over'], { env });
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('The key is rate-limited for another') });
  expect(server.requests).toHaveLength(1);
  const flushed = await runHubctl(['outbox', 'flush', '--wait-max', '1s', '--json'], { env });
  const { exitCode, retryAfterSeconds, hint } = errorOf(flushed);
  expect([exitCode, hint]).toEqual([5, `Try again in ${retryAfterSeconds} seconds, or raise --wait-max.`]);
  // Less what the processes have taken since.
  expect(retryAfterSeconds).toBeWithin(50, 61);
});

test.each([
  ['before its request', 'GET', 'pending', ['x']],
  ['while the server has its request', 'POST', 'uncertain', []],
])('a post whose hubctl is killed %s is sent once, or listed as uncertain', async (_, at, state, sent) => {
  using outbox = await startOutbox();
  const hubctl = (socketPath: string, ...argv: string[]) =>
    Bun.spawn([process.execPath, MAIN, ...argv, '--outbox', outbox.path], {
      env: { PATH: process.env.PATH, HUB_API_KEY: outbox.key.key, HUB_ADMIN_SOCKET: socketPath },
      stderr: 'ignore',
    });
  await using server = startScriptedServer(({ method }) => {
    if (method !== at) return Response.json({ name: 'hub', version: '1', baseUrl: 'https://hub.example.com/' });
    sending.kill('SIGKILL');
    return new Promise<Response>(() => {});
  });
  const sending = hubctl(server.socketPath, 'post', 'x');
  await sending.exited;
  const { items } = await hubctl(server.socketPath, 'outbox', 'list', '--json').stdout.json();
  expect(items).toMatchObject([{ state }]);
  expect(await hubctl(on.hub.socketPath, 'outbox', 'flush', '--any-target').exited).toBe(0);
  expect<unknown>(await outbox.texts()).toEqual(sent);
});

test('an outbox that other users can access is refused before anything is sent', async () => {
  using outbox = await startOutbox();
  mkdirSync(outbox.path);
  chmodSync(outbox.path, 0o755);
  const ran = await outbox.hubctl(['post', 'x', '--json']);
  expect(errorOf(ran)).toMatchObject({ exitCode: 1, hint: `Restrict it: chmod 700 ${outbox.path}` });
  expect(await outbox.texts()).toEqual([]);
});
