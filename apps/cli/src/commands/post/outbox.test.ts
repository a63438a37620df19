import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import type { IssuedKey } from '@hub/contract';
import { freePort, seeded } from '@hub/testkit';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { DATA, errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { spawnServer } from '@hub/testkit/server-process';
import type { Deps } from '../../runtime/deps.ts';

const MAIN = resolve(import.meta.dir, '../../main.ts');
/** Fewer than the rate limit, so that no key is blocked although killed processes use it, too. */
const POSTS_PER_KEY = 25;
const KEYS_PER_HUB = 10;

/** Starts a server process that can be killed and restarted, its keys, and an outbox for real hubctl processes. */
async function startOutboxTrial(posts: number, seed: number) {
  const folder = temporaryFolder();
  const port = freePort();
  const random = seeded(seed);
  const start = () => spawnServer({ dataDir: folder.file('data'), env: { HUB_PORT: String(port) } });
  let server = start();
  await server.serving();
  const hubs: string[] = [];
  const keys: string[] = [];
  for (let index = 0; index < Math.ceil(posts / POSTS_PER_KEY); index += 1) {
    if (index % KEYS_PER_HUB === 0) hubs.push((await server.admin.createHub(`Hub ${index}`)).id);
    keys.push((await server.admin.issueKey({ hubId: hubs.at(-1) ?? '', name: `key ${index}` })).key);
  }
  const outbox = folder.file('outbox');
  const hubctl = (key: string, ...argv: string[]) =>
    Bun.spawn([process.execPath, MAIN, ...argv, '--outbox', outbox], {
      env: { PATH: process.env.PATH, HUB_API_KEY: key, HUB_URL: `http://127.0.0.1:${port}` },
      stdout: 'pipe',
      stderr: 'pipe',
    });
  const texts = new Map<string, string>();
  /** Reads the texts in the outbox with the states of their files. */
  const kept = (): Map<string, string[]> => {
    const statesByText = new Map<string, string[]>();
    for (const file of readdirSync(outbox).filter((name) => /^[^.].*\.json$/.test(name))) {
      const [id = '', , state = ''] = file.split('.');
      try {
        const text = texts.get(id) ?? JSON.parse(readFileSync(join(outbox, file), 'utf8')).input.text;
        texts.set(id, text);
        statesByText.set(text, [...(statesByText.get(text) ?? []), state]);
      } catch {
        // Another process has just renamed it; this text is read again later.
      }
    }
    return statesByText;
  };
  let restarting: Promise<unknown> | undefined;
  const restart = async (): Promise<void> => {
    server.kill('SIGKILL');
    await server.ended();
    server = start();
    await server.serving();
  };
  return {
    outbox,
    random,
    keyOf: (post: number) => keys[Math.floor(post / POSTS_PER_KEY)] ?? '',
    keys,
    hubctl,
    kept,
    /** Kills the server and starts it again, unless it is just starting. */
    killServer: () => {
      restarting ??= restart().finally(() => {
        restarting = undefined;
      });
    },
    serves: () => restarting,
    /** Calls `onMark` with the process whose name appears in a file of the outbox. */
    watchMarks: (onMark: (pid: number) => void) => {
      const watcher = watch(outbox, (_, name) => {
        const pid = /\.(?:queued|sending)-(\d+)-/.exec(String(name))?.[1];
        if (pid !== undefined) onMark(Number(pid));
      });
      return () => watcher.close();
    },
    /** Counts how often each text is in the Hubs. */
    arrived: async (): Promise<Map<string, number>> => {
      const counts = new Map<string, number>();
      for (const hub of hubs) {
        for (let before = ''; ; ) {
          const response = await server.admin.raw('GET', `/hubs/${hub}/messages?limit=100${before}`);
          const { items, next } = (await response.json()) as { items: { text: string }[]; next: string | null };
          for (const { text } of items) counts.set(text, (counts.get(text) ?? 0) + 1);
          if (next === null) break;
          before = `&before=${next}`;
        }
      }
      return counts;
    },
    async [Symbol.asyncDispose]() {
      await restarting;
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/**
 * Compares what hubctl was responsible for with what arrived. `lost`: neither in a Hub nor in the outbox. `doubled`: in
 * a Hub twice, or once and about to be sent again.
 */
function balance(
  responsible: ReadonlySet<string>,
  arrived: ReadonlyMap<string, number>,
  kept: ReadonlyMap<string, readonly string[]>,
) {
  const lost = [...responsible].filter((text) => !arrived.has(text) && !kept.has(text));
  const doubled = [...arrived].filter(
    ([text, count]) => count > 1 || (kept.get(text) ?? []).some((state) => state !== 'uncertain'),
  );
  return { lost, doubled: doubled.map(([text]) => text) };
}

describe('outbox', () => {
  const on = sharedHubctl();

  /** Fails like a host that does not exist. The client does not retry this. */
  const unreachable: Deps['fetch'] = () => Promise.reject(Object.assign(new TypeError('no'), { code: 'ENOTFOUND' }));

  /** A Hub with a key and an empty outbox. */
  async function startOutbox() {
    const folder = temporaryFolder();
    const path = folder.file('my outbox');
    const hub = await on.hub.admin.createHub('Outbox');
    const key = await on.hub.admin.issueKey({ hubId: hub.id });
    const run = (key: IssuedKey, argv: string[], options: RunOptions = {}) =>
      on.hubctl([...argv, '--outbox', path], { ...options, env: { HUB_API_KEY: key.key, HUB_URL: on.hub.url } });
    return {
      path,
      key,
      hubId: hub.id,
      hubctl: (argv: string[], options?: RunOptions) => run(key, argv, options),
      withKey: run,
      items: async () =>
        (await on.hubctl(['outbox', 'list', '--outbox', path, '--json'])).json<{
          items: { id: string; state: string; reason: string | null; key: string; input: { text: string } }[];
        }>().items,
      /** The texts in the Hub, oldest first. */
      texts: async () => {
        const response = await on.hub.admin.raw('GET', `/hubs/${hub.id}/messages`);
        const { items } = (await response.json()) as { items: { text: string }[] };
        return items.map(({ text }) => text).reverse();
      },
      [Symbol.dispose]: folder[Symbol.dispose],
    };
  }

  describe('a post that surely did not arrive', () => {
    test('is kept, and sent in order before the next post', async () => {
      using outbox = await startOutbox();
      for (const text of ['one', 'two']) {
        const ran = await outbox.hubctl(['post', text], { fetch: unreachable });
        expect(ran).toMatchObject({
          code: 0,
          stdout: '',
          stderr: expect.stringContaining('Not posted yet: Cannot reach'),
        });
      }
      expect((await outbox.items()).map(({ state, input }) => [state, input.text])).toEqual([
        ['pending', 'one'],
        ['pending', 'two'],
      ]);
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
      const files = readdirSync(outbox.path);
      expect(statSync(outbox.path).mode & 0o777).toBe(0o700);
      expect(files).toHaveLength(1);
      for (const file of files) {
        expect(statSync(join(outbox.path, file)).mode & 0o777).toBe(0o600);
        expect(readFileSync(join(outbox.path, file), 'utf8')).not.toContain(outbox.key.key.slice(9, -4));
      }
      expect((await outbox.items())[0]?.key).toBe(`hub_live_…${outbox.key.key.slice(-4)}`);
    });

    test('is sent only with its own key, unless --any-target is set', async () => {
      using outbox = await startOutbox();
      await outbox.hubctl(['post', 'x'], { fetch: unreachable });
      const successor = await on.hub.admin.rotateKey(outbox.key.id);
      const ran = await outbox.withKey(successor, ['outbox', 'flush']);
      const hint = '1 post was kept for another server or key. Use that key, or add --any-target.';
      expect(ran).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(hint) });
      expect((await outbox.withKey(successor, ['outbox', 'flush', '--any-target'])).code).toBe(0);
      expect(await outbox.texts()).toEqual(['x']);
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
      const hubctl = (argv: string[], options: RunOptions = {}) =>
        outbox.withKey({ ...outbox.key, key }, argv, options);
      await hubctl(['post', 'note', 'x'], { fetch: unreachable });
      expect(await hubctl(['post', 'y'])).toMatchObject({ code: 0, stderr: expect.stringContaining('rejected') });
      expect((await outbox.items()).map(({ state }) => state)).toEqual(['rejected']);
      expect(await outbox.texts()).toEqual(['y']);
    });

    test('blocks nothing if the server rejects it: it stays in the outbox as rejected', async () => {
      using outbox = await startOutbox();
      await outbox.hubctl(['post', '--blocks', '-'], { stdin: '[{"type": 1}]', fetch: unreachable });
      const ran = await outbox.hubctl(['post', 'good']);
      expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('blocks[0].type') });
      expect(await outbox.texts()).toEqual(['good']);
      expect(await outbox.items()).toMatchObject([
        { state: 'rejected', reason: expect.stringContaining('blocks[0].type') },
      ]);
      expect((await outbox.hubctl(['outbox', 'flush', '--rejected'])).code).toBe(1);
      expect((await outbox.hubctl(['outbox', 'drop', '--rejected', '--yes', '--json'])).json()).toMatchObject({
        dropped: [expect.any(String)],
      });
      expect(await outbox.items()).toEqual([]);
    });
  });

  describe('a response of the server', () => {
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
      expect<unknown[]>([ran.code, (await outbox.items()).map(({ state }) => state)]).toEqual([code, states]);
      // Posts that were kept earlier stay, whatever happens.
      await outbox.hubctl(['outbox', 'drop', '--all', '--yes']);
      await outbox.hubctl(['post', 'earlier'], { fetch: unreachable });
      await outbox.hubctl(['post', 'x', '--timeout', '0.05'], { fetch });
      expect((await outbox.items()).map(({ input }) => input.text)).toContain('earlier');
    });
  });

  describe('a post that may have arrived', () => {
    const reset: Deps['fetch'] = async (url, init) => {
      await fetch(url, init);
      throw Object.assign(new TypeError('no'), { code: 'ECONNRESET' });
    };

    test('is sent again only by flush --uncertain', async () => {
      using outbox = await startOutbox();
      const ran = await outbox.hubctl(['post', 'x', '--json'], { fetch: reset });
      expect(errorOf(ran)).toMatchObject({
        exitCode: 3,
        hint: expect.stringContaining(`hubctl outbox list --outbox '${outbox.path}'`),
      });
      await outbox.hubctl(['post', 'y']);
      const flushed = await outbox.hubctl(['outbox', 'flush']);
      const advice = `1 post may have arrived. Check them: hubctl outbox list --outbox '${outbox.path}'\n`;
      expect(flushed).toMatchObject({ code: 0, stderr: expect.stringContaining(advice) });
      const listed = await outbox.hubctl(['outbox', 'list']);
      for (const words of ['drop ID', 'flush --uncertain']) {
        expect(listed.stderr).toContain(`  hubctl outbox ${words} --outbox '${outbox.path}'\n`);
      }
      const named = await on.hubctl(['outbox', 'list'], { env: { HUB_OUTBOX: outbox.path } });
      expect(named.stderr).toContain('  hubctl outbox drop ID\n');
      expect(await outbox.texts()).toEqual(['x', 'y']);
      const [uncertain] = await outbox.items();
      expect(uncertain?.state).toBe('uncertain');
      expect((await outbox.hubctl(['outbox', 'flush', '--uncertain', uncertain?.id ?? ''])).code).toBe(0);
      expect(await outbox.texts()).toEqual(['x', 'y', 'x']);
    });

    test('can be dropped after a confirmation', async () => {
      using outbox = await startOutbox();
      await outbox.hubctl(['post', 'x'], { fetch: reset });
      expect((await outbox.hubctl(['outbox', 'drop', '--uncertain'])).code).toBe(2);
      expect((await outbox.hubctl(['outbox', 'drop', '--uncertain'], { responses: [false] })).code).toBe(1);
      expect(await outbox.items()).toHaveLength(1);
      const ran = await outbox.hubctl(['outbox', 'drop', '--uncertain'], { responses: [true] });
      expect(ran.asked).toEqual(['Delete 1 post without sending?']);
      expect(await outbox.items()).toEqual([]);
    });
  });

  describe('the rate limit', () => {
    const start = (reset: number) => {
      let posts = 0;
      return startScriptedServer(() => {
        posts += 1;
        const headers = {
          'ratelimit-policy': '"default";q=60;w=60',
          ratelimit: `"default";r=${posts > 1 ? 9 : 0};t=${reset}`,
        };
        return Response.json({ success: true, data: DATA }, { status: 201, headers });
      });
    };

    test('is remembered for the next process, which keeps its post without a request', async () => {
      using outbox = await startOutbox();
      await using server = start(60);
      const env = { HUB_URL: server.url, HUB_API_KEY: outbox.key.key, HUB_OUTBOX: outbox.path };
      expect((await runHubctl(['post', 'last'], { env })).stdout).toStartWith('msg_1');
      const ran = await runHubctl(['post', 'over'], { env });
      expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('The key is rate-limited for another') });
      expect(server.requests).toHaveLength(1);
      const flushed = await runHubctl(['outbox', 'flush', '--wait-max', '1s', '--json'], { env });
      const hint = 'Try again in 60 seconds, or raise --wait-max.';
      expect(errorOf(flushed)).toMatchObject({ exitCode: 5, retryAfterSeconds: 60, hint });
    });
  });

  describe('an outbox', () => {
    test('that other users can access is refused before anything is sent', async () => {
      using outbox = await startOutbox();
      mkdirSync(outbox.path);
      chmodSync(outbox.path, 0o755);
      const ran = await outbox.hubctl(['post', 'x', '--json']);
      expect(errorOf(ran)).toMatchObject({ exitCode: 1, hint: `Restrict it: chmod 700 ${outbox.path}` });
      expect(await outbox.texts()).toEqual([]);
    });
  });
});

/** `OUTBOX_TRIAL_POSTS=10000 bun test apps/cli/src/commands/post/outbox.test.ts` runs the long form. */
const POSTS = Number(process.env.OUTBOX_TRIAL_POSTS ?? 25);
const SEED = Number(process.env.OUTBOX_TRIAL_SEED ?? 1);
const SENDERS = 3;
const MAX_RUN_MS = 200;
const MAX_MARK_MS = 12;

test(
  `loses and doubles nothing in ${POSTS} posts while hubctl and the server are killed at random moments`,
  async () => {
    await using trial = await startOutboxTrial(POSTS, SEED);
    const { random, hubctl } = trial;
    mkdirSync(trial.outbox, { mode: 0o700 });
    const running = new Map<number, ReturnType<typeof hubctl>>();
    const stopWatching = trial.watchMarks((pid) => {
      const victim = random();
      // A kill shortly after a mark hits the moments around the request.
      if (victim < 0.3) setTimeout(() => running.get(pid)?.kill('SIGKILL'), random() * MAX_MARK_MS);
      else if (victim < 0.33) setTimeout(trial.killServer, random() * MAX_MARK_MS);
    });
    /** The texts that hubctl has reported as posted or kept, or that were seen in its outbox. */
    const responsible = new Set<string>();
    let next = 0;
    let kills = 0;
    const sender = async (): Promise<void> => {
      for (let post = next++; post < POSTS; post = next++) {
        const text = `post ${post}`;
        const child = hubctl(trial.keyOf(post), 'post', text);
        running.set(child.pid, child);
        if (random() < 0.2) setTimeout(() => child.kill('SIGKILL'), random() * MAX_RUN_MS);
        const code = await child.exited;
        running.delete(child.pid);
        if (child.signalCode !== null) kills += 1;
        if (code === 0) responsible.add(text);
        for (const seen of trial.kept().keys()) responsible.add(seen);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    stopWatching();
    await trial.serves();
    for (const key of trial.keys) expect(await hubctl(key, 'outbox', 'flush').exited).toBe(0);

    const arrived = await trial.arrived();
    const uncertain = [...trial.kept()];
    expect(balance(responsible, arrived, trial.kept())).toEqual({ lost: [], doubled: [] });
    expect(uncertain.filter(([, states]) => String(states) !== 'uncertain')).toEqual([]);
    expect(kills).toBeGreaterThan(POSTS / 10);
    const both = uncertain.filter(([text]) => arrived.has(text)).length;
    console.log(
      `${POSTS} posts, ${kills} kills of hubctl: ${arrived.size} arrived, ${uncertain.length} uncertain (${both} of ` +
        `them arrived), ${POSTS - responsible.size} killed before they were kept`,
    );

    // The count can fail: a post that is sent again is doubled, and one that is dropped is lost.
    const [sent = ''] = [...arrived.keys()];
    expect(await hubctl(trial.keyOf(0), 'post', sent).exited).toBe(0);
    expect(await hubctl(trial.keyOf(0), 'post', 'dropped', '--url', 'http://127.0.0.1:9').exited).toBe(0);
    expect(await hubctl('', 'outbox', 'drop', '--all', '--yes').exited).toBe(0);
    const failing = balance(new Set([...arrived.keys(), 'dropped']), await trial.arrived(), trial.kept());
    expect(failing).toEqual({ lost: ['dropped'], doubled: [sent] });
  },
  POSTS > 1000 ? 24 * 3_600_000 : 180_000,
);
