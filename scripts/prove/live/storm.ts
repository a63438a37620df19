import type { HubServer, Proof } from '@hub/testkit';
import { pick, type Random } from '@hub/testkit';
import type { Crowd } from './crowd.ts';

/** The average number of cuts per reader per second. */
const CUTS_PER_SECOND = 0.15;
const TICK_MS = 20;
/** The probability that a library reader's program restarts in a tick. */
const RESTART_SHARE = 0.02;

interface StormDeps {
  crowd: Crowd;
  run: HubServer;
  random: Random;
  proof: Proof;
}

/**
 * Cuts connections at random, and alternates between stopping and killing the server. Returns the exit codes of the
 * stopped servers.
 */
export async function storm(
  { crowd, run, random, proof }: StormDeps,
  { seconds, restarts }: { seconds: number; restarts: number },
): Promise<(number | null)[]> {
  let isOver = false;
  const cutting = (async () => {
    for (let due = 0; !isOver; await Bun.sleep(TICK_MS)) {
      for (due += (crowd.readers.length * CUTS_PER_SECOND * TICK_MS) / 1000; due >= 1; due -= 1) crowd.cutOne();
      if (random() < RESTART_SHARE) pick(random, crowd.library).restart();
    }
  })();
  const codes: (number | null)[] = [];
  for (let done = 0; done < restarts; done += 1) {
    await Bun.sleep((seconds * 1000 * (0.5 + random())) / (restarts + 1));
    const signal = done % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
    const code = await run.restart(signal);
    if (signal === 'SIGTERM') codes.push(code);
    proof.report(`restart ${done + 1}: ${signal}, ready again in ${run.startsMs.at(-1)?.toFixed(0)} ms`);
  }
  await Bun.sleep((seconds * 1000) / (restarts + 1));
  isOver = true;
  await cutting;
  return codes;
}
