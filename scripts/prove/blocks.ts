/**
 * Promise: a block ends exactly 300 seconds after it began, whatever happens to the server: kills, stops, and clocks set
 * forward and back. Its sender was not told of a block that is gone afterwards.
 *
 * Proof: keys that are blocked, then a server that is ended and started with its clock changed, against the published
 * rule (`limits/rate-limit-rule.ts`); and kills at the moment in which blocks begin.
 *
 * Short form: `bun run prove:blocks`. Long form: `--keys 30 --restarts 30`.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { ManualClockServer, proofOptions, runProof } from '@hub/testkit';
import { LimitedKeys } from './limits/limited-keys.ts';
import { BLOCKED_SINCE, PUBLISHED, UNBLOCKED } from './limits/rate-limit-rule.ts';
import { blockOverRealKill } from './limits/real-time.ts';

const { keys: keyCount, restarts } = proofOptions({ keys: 12, restarts: 2 });
const { requests, windowMs, blockMs } = PUBLISHED;

const HOUR_MS = 3_600_000;
/** Changes to the wall clock, in milliseconds. */
const JUMPS = [0, -50_000, 50_000, -HOUR_MS, HOUR_MS, -26 * HOUR_MS, 26 * HOUR_MS];
/** The time from the start of a block to the first request after a kill. */
const AWAY_MS = 1_500;

/** Reckons what is left of a block by the wall clock. */
const counterProof = {
  change: {
    file: 'apps/api/src/programs/flush-keys.ts',
    find: 'if (isSameBoot) return until - savedAt - (sinceBoot.ms - saved.ms);',
    replace: 'if (isSameBoot) return until - now;',
  },
  fails: 'each ends at its exact millisecond',
};

await runProof({ limitSeconds: 120 + restarts * 20, counterProof }, async (proof) => {
  const server = await new ManualClockServer(join(proof.folder, 'data')).start();
  const keys = await LimitedKeys.issue(server, keyCount);
  const anyJump = () => server.jump(JUMPS[randomInt(JUMPS.length)] ?? 0);
  let seen = 0;
  for (let round = 0; round < restarts; round += 1) {
    // Blocks that began at two different times, and keys that are not blocked.
    await keys.send((n) => (n % 3 === 0 ? requests + 1 : 0));
    await server.advance(randomInt(50_000));
    await keys.send((n) => (n % 3 === 1 ? requests + 1 : randomInt(3)));
    for (let restart = 0; restart < 2; restart += 1) {
      await server.advance(randomInt(20_000));
      await anyJump();
      await (randomInt(3) === 0 ? server.stop() : server.kill());
      await server.advance(randomInt(60_000));
      await anyJump();
      await server.start();
      keys.serverWasStarted();
      seen += keys.blocksLeft.length;
      await keys.send(() => 1);
    }
    // The last millisecond of each block, and the first one after it.
    for (let left = keys.blocksLeft; left.length > 0; left = keys.blocksLeft) {
      await server.advance(Math.min(...left) - 1);
      await keys.send(() => 1);
      await server.advance(1);
      await keys.send(() => 1);
    }
    await server.advance(windowMs);
  }
  proof.check(
    `${seen} blocks across kills and stops, with clocks set forward and back: each ends at its exact millisecond`,
    seen > 0 && keys.problems.length === 0,
    keys.problems.slice(0, 3).join('; '),
  );
  const { blocked, problems } = await killAroundBlocks(server, keys);
  proof.check(
    'after a kill while blocks begin, every block that its sender saw is complete',
    blocked > 0 && problems.length === 0,
    `${blocked} told; ${problems.slice(0, 3).join('; ')}`,
  );
  keys.close();
  await server.stop();
  await blockOverRealKill(proof);
});

/**
 * Kills the server while keys send their 61st request, which begins a block. If the sender got the response, the block
 * must still exist unchanged after the restart. Otherwise it may exist unchanged or not at all.
 */
async function killAroundBlocks(server: ManualClockServer, keys: LimitedKeys) {
  const problems: string[] = [];
  let blocked = 0;
  for (let round = 0; round < restarts; round += 1) {
    await server.advance(blockMs);
    await keys.send(() => requests);
    const notified = await keys.sendUntilEnd(() => server.kill());
    await server.advance(AWAY_MS);
    await server.start();
    for (const [n, end] of (await keys.ask()).entries()) {
      if (notified[n] && end !== BLOCKED_SINCE) problems.push(`an acknowledged block after a kill: ${end}`);
      else if (end !== BLOCKED_SINCE && end !== UNBLOCKED) problems.push(`after a kill: ${end}`);
    }
    blocked += notified.filter(Boolean).length;
  }
  return { blocked, problems };
}
