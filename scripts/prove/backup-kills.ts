/**
 * Promise: a backup killed midway leaves nothing behind that could pass for a backup.
 *
 * Proof: under load, backups are killed at random moments: `hubctl`, the server, and the connection between them.
 *
 * Short form: `bun run prove:backup-kills`. Long form: `--kills 20 --megabytes 100`.
 */
import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { HubServer, hubctl, PacedLoad, proofOptions, runProof, startHubctl } from '@hub/testkit';

const { kills, megabytes } = proofOptions({ kills: 3, megabytes: 10 });

const HUBS = 10;
/** A key can post 60 times per minute: the load uses half of that, and earlier posts at most a quarter. */
const [RATE, KEYS] = [50, 100];
const FILL_BYTES = Math.ceil((megabytes * 1_000_000) / (KEYS * 15));
const [LET_GO_MS, RETRY_MS] = [20_000, 50];
const KILLS = ['hubctl is killed', 'the server is killed', 'the connection is cut'] as const;

/** Keeps the copy that it sends. */
const counterProof = {
  change: {
    file: 'apps/api/src/storage/sqlite/engine/backups.ts',
    find: 'remove(dataDir, [COPY_FILE]);',
    replace: "await rename(copy, copy + '-' + id);",
  },
  fails: 'left only complete files',
};

await runProof({ limitSeconds: 60 + kills * 60, counterProof }, async (proof) => {
  const server = await new HubServer(join(proof.folder, 'data')).start();
  const issued = await server.admin.issueKeys(await server.admin.createHubs(HUBS), KEYS);
  const plan = { port: server.port, keys: issued.map(({ key }) => key) };
  const filling = await PacedLoad.start({ ...plan, name: 'Post' });
  await filling.fill(KEYS * 15, FILL_BYTES);
  await filling.stop();
  const typicalMs = await durationOfBackup(server, join(proof.folder, 'whole.db'));
  const problems: string[] = [];
  let midway = 0;
  for (let number = 0; number < kills; number += 1) {
    const kind = KILLS[number % KILLS.length] as (typeof KILLS)[number];
    const load = await PacedLoad.start({ ...plan, name: `Kill ${number}` });
    await load.begin(RATE);
    const killed = await killMidway(kind, server, { folder: join(proof.folder, `kill-${number}`), typicalMs });
    await load.stop();
    if (!killed.isThere) midway += 1;
    problems.push(...killed.problems.map((problem) => `${kind}: ${problem}`));
    const outcome = killed.isThere ? 'it was already complete' : 'no file';
    proof.report(`${kind} after ${killed.momentMs.toFixed(0)} ms of a backup: ${outcome}`);
  }
  proof.none(`${kills} backups killed midway left only complete files, and no others`, problems);
  proof.check('most of them were killed midway', midway * 2 > kills, `${midway} of ${kills}`);
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
});

async function durationOfBackup(server: HubServer, file: string): Promise<number> {
  const start = performance.now();
  await hubctl(server.dataDir, ['backup', file]);
  return performance.now() - start;
}

/** Kills a backup at a random moment. Returns whether it had already finished, and the problems found afterwards. */
async function killMidway(
  kind: (typeof KILLS)[number],
  server: HubServer,
  { folder, typicalMs }: { folder: string; typicalMs: number },
) {
  mkdirSync(folder);
  const file = join(folder, 'hub.db');
  const momentMs = Math.random() * typicalMs;
  const problems: string[] = [];
  if (kind === 'the connection is cut') {
    const socket = connect(server.process.adminSocket).on('error', () => {});
    socket.resume();
    socket.write('POST /api/v1/backups HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    await Bun.sleep(momentMs);
    socket.destroy();
  } else {
    const running = startHubctl(server.dataDir, ['backup', file]);
    await Bun.sleep(momentMs);
    await (kind === 'hubctl is killed' ? running.kill() : server.kill());
    const { code } = await running.ended;
    if (code === 0 && !existsSync(file)) problems.push('hubctl ended with 0 and made no file');
    if (kind === 'the server is killed') {
      await server.start();
      if (code !== 0 && readdirSync(folder).length > 0) problems.push(`hubctl left ${readdirSync(folder)}`);
    }
  }
  const isThere = existsSync(file);
  if (isThere && !isIntact(file)) problems.push('a part of a backup has the name of a whole one');
  await nextBackup(server.dataDir, join(folder, 'next.db'));
  const left = readdirSync(folder).filter((name) => !['hub.db', 'next.db'].includes(name));
  left.push(...readdirSync(server.dataDir).filter((name) => name.includes('unfinished')));
  if (left.length > 0) problems.push(`left over: ${left}`);
  rmSync(folder, { recursive: true });
  return { isThere, momentMs, problems };
}

/** Waits until the server has finished copying for the killed backup, since the copy cannot be interrupted. */
async function nextBackup(dataDir: string, file: string): Promise<void> {
  for (const deadline = performance.now() + LET_GO_MS; ; await Bun.sleep(RETRY_MS)) {
    const { code, stdout } = await startHubctl(dataDir, ['backup', file]).ended;
    if (code === 0) return;
    const isTaken = stdout.includes('Another backup is in progress');
    if (!isTaken || performance.now() > deadline) throw new Error(`The next backup ended with ${code}: ${stdout}`);
  }
}

function isIntact(file: string): boolean {
  try {
    using database = new Database(file, { readonly: true });
    return database.query('PRAGMA integrity_check').values().join() === 'ok';
  } catch {
    return false;
  }
}
