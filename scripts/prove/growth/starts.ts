import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { HubServer, LoadPlan, Proof } from '@hub/testkit';
import { PacedLoad } from '@hub/testkit';

const START_BOUND_MS = 3_000;
const POST_BYTES = 20_000;

export function checkStart(proof: Proof, what: string, { startsMs }: HubServer): void {
  const took = startsMs.at(-1) ?? Number.NaN;
  proof.check(
    `the server starts within ${START_BOUND_MS / 1000} s ${what}`,
    took < START_BOUND_MS,
    `${took.toFixed(0)} ms`,
  );
}

/**
 * Prevents log checkpoints for a while, as another program that reads the database would, then kills the server, so
 * that the next start has to process the whole log.
 */
export async function startAfterKill(
  proof: Proof,
  run: HubServer,
  { plan, posts }: { plan: LoadPlan; posts: number },
): Promise<void> {
  const file = join(run.dataDir, 'hub.db');
  const reader = new Database(file, { readonly: true });
  reader.exec('BEGIN');
  reader.query('select count(*) from workspace').values();
  const load = await PacedLoad.start(plan);
  await load.fill(posts, POST_BYTES);
  await run.kill();
  await load.stop();
  reader.close();
  const walBytes = statSync(`${file}-wal`).size;
  proof.check(
    'the log is long when the server is killed',
    walBytes > posts * POST_BYTES,
    `${(walBytes / 1e6).toFixed(0)} MB`,
  );
  await run.start();
  checkStart(proof, 'after a kill, with that log', run);
}
