/** Run as `bun limiter-cost.ts`, this file measures only the limiter, and prints a `LimiterCost` as JSON. */
import type { Proof } from '@hub/testkit';
import { KeyLimiter } from '../../../apps/api/src/keys/key-limiter.ts';

interface LimiterCost {
  /** The memory used when each key has a full window. */
  fullBytes: number;
  /** The memory used when all keys are blocked. */
  blockedBytes: number;
  /**
   * The memory and keys left after all windows have ended and a single key has sent as many requests as there were
   * keys.
   */
  leftBytes: number;
  leftKeys: number;
  /** Nanoseconds per accepted request, per rejected request, and per request with a single key. */
  passNs: number;
  rejectNs: number;
  singleNs: number;
}

const REQUESTS = 60;
const BLOCK_MS = 300_000;
const WINDOW_MS = 60_000;

/** The number of keys, and the most that a decision and a full window may cost. */
const COUNT = 100_000;
const MAX_NS = 10_000;
const MAX_BYTES = 2_048;

/** Checks what the limiter costs, in a process of its own. */
export async function costOfLimiter(proof: Proof): Promise<void> {
  const child = Bun.spawn([process.execPath, '--no-env-file', import.meta.path], { stderr: 'inherit' });
  const cost = JSON.parse(await child.stdout.text()) as LimiterCost;
  const bytes = (all: number): string => `${(all / COUNT).toFixed(0)} bytes`;
  proof.report(
    `the limiter with ${COUNT} keys: ${bytes(cost.fullBytes)} for each with a full window, ${bytes(cost.blockedBytes)} blocked; ` +
      `a decision ${cost.passNs.toFixed(0)} ns where it passes, ${cost.rejectNs.toFixed(0)} ns where not, ${cost.singleNs.toFixed(0)} ns while others are forgotten`,
  );
  proof.check(
    `a decision among ${COUNT} keys takes under ${MAX_NS / 1000} µs`,
    Math.max(cost.passNs, cost.rejectNs, cost.singleNs) < MAX_NS,
  );
  proof.check(`a key with a full window takes under ${MAX_BYTES} bytes`, cost.fullBytes < MAX_BYTES * COUNT);
  proof.check(
    'expired state is removed as other requests arrive',
    cost.leftKeys === 1 && cost.leftBytes < cost.fullBytes / 10,
    `${cost.leftKeys} windows left`,
  );
}

function measure(): LimiterCost {
  const keyIds = Array.from({ length: COUNT }, (_, n) => `key_${String(n).padStart(26, '0')}`);
  let now = 0.5;
  const clock = { now: () => 0, monotonic: () => now, sleep: async () => {}, sinceBoot: () => null };
  const limiter = new KeyLimiter(clock);
  /** Sends this many requests with every key in turn, and returns nanoseconds per request. */
  const nsPerRequest = (requests: number): number => {
    const start = Bun.nanoseconds();
    for (let request = 0; request < requests; request += 1) {
      for (const keyId of keyIds) limiter.admit(keyId);
      now += 900;
    }
    return (Bun.nanoseconds() - start) / (requests * COUNT);
  };
  const before = usedBytes();
  const passNs = nsPerRequest(REQUESTS);
  const fullBytes = usedBytes() - before;
  const rejectNs = nsPerRequest(2);
  const blockedBytes = usedBytes() - before;
  now += BLOCK_MS + WINDOW_MS;
  const singleStart = Bun.nanoseconds();
  for (let request = 0; request < COUNT; request += 1) {
    limiter.admit(keyIds[0] ?? '');
    now += 1_000;
  }
  const singleNs = (Bun.nanoseconds() - singleStart) / COUNT;
  for (const { keyId } of limiter.blocks()) limiter.forgetEndedBlock(keyId);
  const leftBytes = usedBytes() - before;
  return { fullBytes, blockedBytes, leftBytes, leftKeys: limiter.size, passNs, rejectNs, singleNs };
}

function usedBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}

if (import.meta.main) console.log(JSON.stringify(measure()));
