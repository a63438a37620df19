/**
 * `bun limiter-cost.ts KEYS`: measures only the limiter, in a separate process, and prints the result as JSON
 * (`LimiterCost`).
 */
import { KeyLimiter } from '../../../apps/api/src/keys/key-limiter.ts';

export interface LimiterCost {
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

const count = Number(process.argv[2] ?? 100_000);
const keyIds = Array.from({ length: count }, (_, n) => `key_${String(n).padStart(26, '0')}`);
let now = 0.5;
const limiter = new KeyLimiter({
  now: () => 0,
  monotonic: () => now,
  sleep: async () => {},
  sinceBoot: () => null,
});

const before = usedBytes();
const passNs = nsPerRequest(REQUESTS);
const fullBytes = usedBytes() - before;
const rejectNs = nsPerRequest(2);
const blockedBytes = usedBytes() - before;
now += BLOCK_MS + WINDOW_MS;
const singleStart = Bun.nanoseconds();
for (let request = 0; request < count; request += 1) {
  limiter.admit(keyIds[0] ?? '');
  now += 1_000;
}
const singleNs = (Bun.nanoseconds() - singleStart) / count;
for (const { keyId } of limiter.blocks()) limiter.forgetEndedBlock(keyId);
const leftBytes = usedBytes() - before;

const cost: LimiterCost = {
  fullBytes,
  blockedBytes,
  leftBytes,
  leftKeys: limiter.size,
  passNs,
  rejectNs,
  singleNs,
};
console.log(JSON.stringify(cost));

/** Sends this many requests with every key in turn, one second apart. */
function nsPerRequest(requests: number): number {
  const start = Bun.nanoseconds();
  for (let request = 0; request < requests; request += 1) {
    for (const keyId of keyIds) limiter.admit(keyId);
    now += 900;
  }
  return (Bun.nanoseconds() - start) / (requests * count);
}

function usedBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}
