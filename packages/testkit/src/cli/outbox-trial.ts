import { readdirSync, readFileSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort, seeded } from '../index.ts';
import { spawnServer } from '../server-process.ts';
import { temporaryFolder } from './files.ts';

const MAIN = resolve(import.meta.dir, '../../../../apps/cli/src/main.ts');
/** Fewer than the rate limit, so that no key is blocked although killed processes use it, too. */
const POSTS_PER_KEY = 25;
const KEYS_PER_HUB = 10;

/** Starts a server process that can be killed and restarted, its keys, and an outbox for real hubctl processes. */
export async function startOutboxTrial(posts: number, seed: number) {
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
export function balance(
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
