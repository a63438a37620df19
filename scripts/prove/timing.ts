/**
 * Promise: the key check takes the same time no matter how much of a wrong key is right.
 *
 * Proof: measures it in this process, with the real store, for wrong keys with a valid checksum that share more and more
 * characters with an existing key.
 */
import { BASE62, buildToken, KEY_PREFIX, RANDOM_CHARACTERS } from '@hub/contract';
import { type Proof, runProof, shuffle } from '@hub/testkit';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { FailedAuthentication } from '../../apps/api/src/access/failed-authentication.ts';
import { authenticateKey } from '../../apps/api/src/programs/public-gate.ts';
import { checkSpread, type Rounds, type Verdict } from './timing-statistics.ts';

const SHARED_CHARACTERS = [0, 10, 20, 30, 33];
const STORED_KEYS = 500;
const ROUNDS = 4_000;
const WARM_UP_ROUNDS = 300;
/** The number of checks per sample, since a single check is too short for the clock to measure. */
const CHECKS_PER_TIME = 8;

/** Compares each key with the right one besides, in a loop that ends at the first wrong character. */
const counterProof = { fails: 'a wrong key takes the same time whatever part of it is right' };
/** One comparison is noticed on a quiet machine; noise hides it on a busy one. */
const COMPARISONS = 64;

type Check = (token: string) => Promise<unknown>;

await runProof({ limitSeconds: 180, counterProof }, async (proof) => {
  await using hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const issued = await Promise.all(Array.from({ length: STORED_KEYS }, () => hub.admin.issueKey({ hubId })));
  const real = issued[STORED_KEYS / 2]?.key ?? '';
  const noWait = { now: () => Date.now(), monotonic: () => 0, sleep: async () => {}, sinceBoot: () => null };
  const deps = { ...hub.deps, failedAuthentication: new FailedAuthentication(noWait) };
  const check: Check = (token) => {
    if (proof.isCounterProof) for (let count = 0; count < COMPARISONS; count += 1) earlyExitEquals(token, real);
    return authenticateKey(deps, token, '192.0.2.1');
  };

  proof.check('the check accepts the real key', !(await isRejected(check(real))));
  const wrong = SHARED_CHARACTERS.flatMap((shared) => Array.from({ length: 100 }, () => wrongKey(real, shared)));
  const rejected = await Promise.all(wrong.map((token) => isRejected(check(token))));
  proof.check('the check rejects every wrong key', rejected.every(Boolean), `${rejected.length} wrong keys`);

  const verdict = checkSpread(await measure(check, real));
  report(proof, verdict);
  const isByChance = verdict.probability >= 0.001;
  proof.check('a wrong key takes the same time whatever part of it is right', isByChance);
});

/** Returns a well-formed key that shares exactly the first `shared` random characters with a real one. */
function wrongKey(real: string, shared: number): string {
  const right = real.slice(KEY_PREFIX.length, KEY_PREFIX.length + RANDOM_CHARACTERS);
  let random = right.slice(0, shared);
  while (random.length < RANDOM_CHARACTERS) {
    const character = BASE62.charAt(Math.floor(Math.random() * BASE62.length));
    if (random.length > shared || character !== right.charAt(shared)) random += character;
  }
  // A flat copy, like a header value, since a concatenated string takes extra time to read.
  return Buffer.from(buildToken(KEY_PREFIX, random), 'latin1').toString('latin1');
}

/**
 * Returns nanoseconds per check. The classes take turns in a random order that changes in each round. Every wrong key
 * is new, since its position in the hash index affects the time. The keys of a round are created together, in random
 * order, since the age of a string in memory affects the time, too.
 */
async function measure(check: Check, real: string): Promise<Rounds> {
  const order = SHARED_CHARACTERS.map((_, index) => index);
  const rounds: Float64Array[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const row = new Float64Array(order.length);
    const tokens: string[][] = order.map(() => []);
    for (let count = 0; count < CHECKS_PER_TIME; count += 1) {
      for (const index of shuffle(order, Math.random))
        tokens[index]?.push(wrongKey(real, SHARED_CHARACTERS[index] ?? 0));
    }
    for (const index of shuffle(order, Math.random)) row[index] = await timeOf(check, tokens[index] ?? []);
    if (round >= WARM_UP_ROUNDS) rounds.push(row);
  }
  return rounds;
}

async function timeOf(check: Check, tokens: readonly string[]): Promise<number> {
  const start = Bun.nanoseconds();
  for (const token of tokens) await isRejected(check(token));
  return (Bun.nanoseconds() - start) / tokens.length;
}

async function isRejected(checking: Promise<unknown>): Promise<boolean> {
  try {
    await checking;
    return false;
  } catch {
    return true;
  }
}

function earlyExitEquals(a: string, b: string): boolean {
  for (let index = 0; index < a.length; index += 1) if (a.charCodeAt(index) !== b.charCodeAt(index)) return false;
  return true;
}

function report(proof: Proof, { medians, spread, chance, probability }: Verdict): void {
  const each = SHARED_CHARACTERS.map((shared, index) => `${shared}: ${((medians[index] ?? 0) / 1000).toFixed(2)}`);
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
  proof.report(`median µs by shared characters: ${each.join(', ')}`);
  proof.report(`  spread ${percent(spread)}, by chance up to ${percent(chance)}; p = ${probability.toFixed(4)}`);
}
