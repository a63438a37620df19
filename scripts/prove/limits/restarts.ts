import { randomInt } from 'node:crypto';
import type { ManualClockRun } from './hand-clocked-life.ts';
import type { LimitedKeys } from './limited-keys.ts';
import { PUBLISHED } from './rule.ts';

const HOUR_MS = 3_600_000;
/** The time from the start of the block to the first request after a kill. */
const AWAY_MS = 1_500;
const BLOCKED_SINCE = 'refused, RateLimit "default";r=0;t=299, Retry-After 299';
const UNBLOCKED = 'passed, RateLimit "default";r=59;t=60';
/** Changes to the wall clock, in milliseconds. */
const JUMPS = [0, -50_000, 50_000, -HOUR_MS, HOUR_MS, -26 * HOUR_MS, 26 * HOUR_MS];

/**
 * Checks blocks when the server is killed or stopped while the clock is set forward and backward, both before the stop
 * and while no server is running. Each block must end at its exact millisecond. Returns the number of blocks checked
 * after a restart.
 */
export async function blocksOverRestarts(run: ManualClockRun, keys: LimitedKeys, rounds: number): Promise<number> {
  let seen = 0;
  for (let round = 0; round < rounds; round += 1) {
    // Blocks that began at two different times, and keys that are not blocked.
    await keys.send((n) => (n % 3 === 0 ? PUBLISHED.requests + 1 : 0));
    await run.advance(randomInt(50_000));
    await keys.send((n) => (n % 3 === 1 ? PUBLISHED.requests + 1 : randomInt(3)));
    for (let restart = 0; restart < 2; restart += 1) {
      await run.advance(randomInt(20_000));
      await run.jump(anyJump());
      await (randomInt(3) === 0 ? run.stop() : run.kill());
      await run.advance(randomInt(60_000));
      await run.jump(anyJump());
      await run.start();
      keys.serverWasStarted();
      seen += keys.blocksLeft.length;
      await keys.send(() => 1);
    }
    await passEnds(run, keys);
    await run.advance(PUBLISHED.windowMs);
  }
  return seen;
}

/** Checks the last millisecond of each block, and the first one after it. */
async function passEnds(run: ManualClockRun, keys: LimitedKeys): Promise<void> {
  for (let left = keys.blocksLeft; left.length > 0; left = keys.blocksLeft) {
    await run.advance(Math.min(...left) - 1);
    await keys.send(() => 1);
    await run.advance(1);
    await keys.send(() => 1);
  }
}

function anyJump(): number {
  return JUMPS[randomInt(JUMPS.length)] ?? 0;
}

/**
 * Kills the server while keys send their 61st request, which begins a block. If the sender got the response, the block
 * must still exist unchanged after the restart. Otherwise it may exist unchanged or not at all.
 */
export async function killAroundBlocks(
  run: ManualClockRun,
  keys: LimitedKeys,
  rounds: number,
): Promise<{ blocked: number; problems: string[] }> {
  const problems: string[] = [];
  let blocked = 0;
  for (let round = 0; round < rounds; round += 1) {
    await run.advance(PUBLISHED.blockMs);
    await keys.send(() => PUBLISHED.requests);
    const notified = await keys.sendUntilEnd(() => run.kill());
    await run.advance(AWAY_MS);
    await run.start();
    const ends = await keys.ask();
    for (const [n, end] of ends.entries()) {
      const isWhole = end === BLOCKED_SINCE;
      if (notified[n] && !isWhole) problems.push(`an acknowledged block after a kill: ${end}`);
      if (!notified[n] && !isWhole && end !== UNBLOCKED) problems.push(`after a kill: ${end}`);
    }
    blocked += notified.filter(Boolean).length;
  }
  return { blocked, problems };
}
