import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { testFolder } from '@hub/testkit/test-folder';
import { buildClient } from '../build.ts';

/** The points of an exchange at which the proxy ends the connection. */
const FAILURES = ['none', 'before reading', 'within the body', 'before responding', 'within the response'] as const;
type Failure = (typeof FAILURES)[number];

/**
 * Starts a proxy that fails at the points of `FAILURES`, in turn. It understands keep-alive. `arrivals` has the number of
 * complete requests that arrived with each body.
 */
async function startFailingProxy(targetPort: number) {
  const arrivals = new Map<string, number>();
  let turns = 0;
  const nextFailure = (): Failure => FAILURES[turns++ % FAILURES.length] ?? 'none';

  const pass = async (near: Socket, request: Buffer, failure: Failure): Promise<void> => {
    const bodyAt = request.indexOf('\r\n\r\n') + 4;
    const body = request.subarray(bodyAt).toString();
    arrivals.set(body, (arrivals.get(body) ?? 0) + 1);
    const far = connect(targetPort, '127.0.0.1');
    far.on('error', () => {});
    if (failure === 'within the body') {
      far.end(request.subarray(0, bodyAt + Math.floor((request.length - bodyAt) / 2)), () => far.destroy());
      return void near.resetAndDestroy();
    }
    far.write(request);
    const response = await messageOf(far);
    far.destroy();
    if (failure === 'none') near.write(response);
    else if (failure === 'before responding') near.destroy();
    else near.write(response.subarray(0, Math.floor(response.length / 2)), () => near.destroy());
  };

  const server = createServer(async (near) => {
    near.on('error', () => {});
    for (;;) {
      const failure = nextFailure();
      if (failure === 'before reading') return near.resetAndDestroy();
      const request = await messageOf(near).catch(() => null);
      if (request === null) return;
      await pass(near, request, failure);
      if (near.destroyed || near.writableEnded) return;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    turns: () => turns,
    [Symbol.dispose]: () => void server.close(),
  };
}

/** Reads one HTTP message with a Content-Length. Rejects if the connection ends before. */
function messageOf(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const finish = (settle: () => void): void => {
      socket.off('data', onData).off('close', onClose);
      settle();
    };
    const onClose = (): void => finish(() => reject(new Error('The connection ended within a message.')));
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const headEnd = bytes.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(bytes.subarray(0, headEnd).toString())?.[1] ?? 0);
      if (bytes.length >= headEnd + 4 + length) finish(() => resolve(bytes));
    };
    socket.on('data', onData).on('close', onClose);
  });
}

/** The long form: `CLIENT_POSTS=10000 bun test packages/client/src/never-twice.test.ts --timeout 1800000`. */
const POSTS = Number(process.env.CLIENT_POSTS ?? 100);
/** A careless client sends twice as many requests, and a key is blocked after 60. */
const POSTS_PER_KEY = 25;
const KEYS_PER_HUB = 10;

const testHub = shared(startTestHub);
let built: string;

beforeAll(async () => {
  built = testFolder('hub-never-twice-');
  await buildClient(join(built, 'client'));
  await Bun.build({ entrypoints: [join(import.meta.dir, '../post-through.ts')], outdir: built, target: 'node' });
}, 180_000);

afterAll(() => rm(built, { recursive: true, force: true }));

/**
 * Posts through the failing proxy, in a process of its own. Returns how each post ended, how many complete requests
 * arrived at the proxy and how many messages are in the Hubs, by the text.
 */
async function post(runtime: string, options: { keepAlive?: boolean; isCareless?: boolean } = {}) {
  using proxy = await startFailingProxy(Number(new URL(testHub.url).port));
  const keyCount = Math.ceil(POSTS / POSTS_PER_KEY);
  const hubIds = await testHub.admin.createHubs(Math.ceil(keyCount / KEYS_PER_HUB));
  const keys = await testHub.admin.issueKeys(hubIds, keyCount);
  const child = Bun.spawn([runtime, join(built, 'post-through.js')], {
    env: {
      PATH: process.env.PATH,
      HUB_CLIENT_ENTRY: join(built, 'client/index.js'),
      HUB_URL: proxy.url,
      HUB_KEYS: keys.map(({ key }) => key).join(' '),
      HUB_OPTIONS: JSON.stringify({ posts: POSTS, postsPerKey: POSTS_PER_KEY, keepAlive: options.keepAlive ?? false }),
      HUB_RETRY: options.isCareless ? '1' : '',
    },
    stderr: 'inherit',
  });
  const outcomes = new Map(Object.entries<string>(JSON.parse(await child.stdout.text())));
  const stored = new Map<string | null, number>();
  for (const hubId of hubIds) {
    for (const { text } of await testHub.admin.all('GET /hubs/{hubId}/messages', { hubId }))
      stored.set(text, (stored.get(text) ?? 0) + 1);
  }
  return { outcomes, stored, arrived: proxy.arrivals, turns: proxy.turns() };
}

const countOf = (counts: Map<unknown, number>, isWanted: (count: number) => boolean): number =>
  [...counts.values()].filter(isWanted).length;

describe('through a network that fails at every point of the exchange', () => {
  test.each([
    ['Bun', process.execPath, false],
    ['Bun with keepAlive', process.execPath, true],
    ['Node', 'node', false],
  ])('on %s, no post is sent twice, and the outcomes are true', async (_, runtime, keepAlive) => {
    const { outcomes, stored, arrived, turns } = await post(runtime, { keepAlive });
    expect(outcomes.size).toBe(POSTS);
    expect(turns / FAILURES.length).toBeGreaterThan(POSTS / 10);

    expect(countOf(arrived, (count) => count > 1)).toBe(0);
    expect(countOf(stored, (count) => count > 1)).toBe(0);
    const wrong = [...outcomes].filter(([text, outcome]) => {
      const count = stored.get(text) ?? 0;
      return outcome === 'created' ? count !== 1 : outcome !== 'uncertain' && count !== 0;
    });
    expect(wrong).toEqual([]);

    // Both kinds of uncertain posts occurred: those that exist, and those that do not.
    const uncertain = [...outcomes].filter(([, outcome]) => outcome === 'uncertain');
    expect(uncertain.filter(([text]) => stored.has(text)).length).toBeGreaterThan(POSTS / 10);
    expect(uncertain.filter(([text]) => !stored.has(text)).length).toBeGreaterThan(POSTS / 10);
  });

  test('the same count finds the duplicates of a client that retries', async () => {
    const { stored, arrived } = await post('node', { isCareless: true });
    expect(countOf(arrived, (count) => count > 1)).toBeGreaterThan(POSTS / 10);
    expect(countOf(stored, (count) => count > 1)).toBeGreaterThan(POSTS / 10);
  });
});
