import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { HubServer, ManualClockServer, type Proof, postRequest, RequestLoad } from '@hub/testkit';
import { BLOCKED_SINCE, LIMIT, LimitedKeys, UNBLOCKED } from './limited-keys.ts';

const { requests, windowMs, blockMs } = LIMIT;
const HOUR_MS = 3_600_000;
/** Changes to the wall clock, in milliseconds. */
const JUMPS = [0, -50_000, 50_000, -HOUR_MS, HOUR_MS, -26 * HOUR_MS, 26 * HOUR_MS];
/** The time from the start of a block to the first request after a kill. */
const AWAY_MS = 1_500;
/** The resolution at which the kernel reports the time since boot. */
const KERNEL_STEP_MS = 10;

/** Ends and starts the server with its clock changed, and kills it at the moment in which blocks begin. */
export async function proveBlocks(proof: Proof, { keys: count, restarts }: { keys: number; restarts: number }) {
  const server = await new ManualClockServer(join(proof.folder, 'blocks')).start();
  const keys = await LimitedKeys.issue(server, Math.min(30, count));
  const anyJump = () => server.jump(JUMPS[randomInt(JUMPS.length)] ?? 0);
  let seen = 0;
  for (let round = 0; round < restarts; round += 1) {
    // Blocks that began at two different times, and keys that are not blocked.
    await keys.send((n) => (n % 3 === 0 ? requests + 1 : 0));
    await server.advance(randomInt(50_000));
    await keys.send((n) => (n % 3 === 1 ? requests + 1 : randomInt(3)));
    for (const end of [() => server.kill(), () => server.stop()]) {
      await server.advance(randomInt(20_000));
      await anyJump();
      await end();
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
  proof.none(
    `${seen} blocks across kills and stops, with clocks set forward and back: each ends at its exact millisecond`,
    seen > 0 ? keys.problems : ['there was no block'],
  );
  const { blocked, problems } = await killAroundBlocks(server, keys, restarts);
  proof.none(
    'after a kill while blocks begin, every block that its sender saw is complete',
    blocked > 0 ? problems : ['no block was reported'],
    `${blocked} blocks reported`,
  );
  keys.close();
  await server.stop();
  await blockOverRealKill(proof);
}

/**
 * Kills the server while keys send their 61st request, which begins a block. If the sender got the response, the block
 * must still exist unchanged after the restart. Otherwise it may exist unchanged or not at all.
 */
async function killAroundBlocks(server: ManualClockServer, keys: LimitedKeys, restarts: number) {
  const problems: string[] = [];
  let blocked = 0;
  for (let round = 0; round < restarts; round += 1) {
    await server.advance(blockMs);
    await keys.send(() => requests);
    const isBlocked = await keys.sendUntilEnd(() => server.kill());
    await server.advance(AWAY_MS);
    await server.start();
    for (const [n, limit] of (await keys.ask()).entries()) {
      const isAllowed = limit === BLOCKED_SINCE || (limit === UNBLOCKED && !isBlocked[n]);
      if (!isAllowed) problems.push(`after a kill: ${limit}`);
    }
    blocked += isBlocked.filter(Boolean).length;
  }
  return { blocked, problems };
}

/** Checks that a block survives a kill by the machine's own clocks. */
async function blockOverRealKill(proof: Proof): Promise<void> {
  const server = await new HubServer(join(proof.folder, 'real-kill')).start();
  const [issued] = await server.admin.issueKeys(await server.admin.createHubs(1), 1);
  const request = postRequest('messages', issued?.key ?? '', 'Hello');
  const load = new RequestLoad();
  const sent = await load.send(server.port, Array(requests + 1).fill({ request }));
  const [begun] = sent.filter(({ response }) => response.status === 403);
  await server.kill();
  load.close();
  await server.start();
  const [after] = await load.send(server.port, [{ request }]);
  // The response before the kill came at some time between these two.
  const elapsedMs = [
    (after?.sentAt ?? 0) - (begun?.respondedAt ?? 0),
    (after?.respondedAt ?? 0) - (begun?.sentAt ?? 0),
  ];
  const [shortest = 0, longest = 0] = elapsedMs;
  const least = Math.ceil((blockMs - longest - KERNEL_STEP_MS) / 1000);
  const most = Math.ceil((blockMs - shortest + KERNEL_STEP_MS) / 1000);
  const seconds = Number(after?.response.header('Retry-After') ?? Number.NaN);
  const detail = `Retry-After ${seconds}, of ${least} to ${most}`;
  proof.check("a block survives a kill by the machine's own clocks", seconds >= least && seconds <= most, detail);
  load.close();
  await server.stop();
}
