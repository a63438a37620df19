/**
 * Proves that the key check takes as long whatever part of a wrong key is right: measures it in this process, over the
 * real store, for wrong keys with a right checksum that share more and more characters with a key that exists. Then it
 * adds a comparison that ends at the first wrong character, and demands that the same test tells.
 */
import { authenticateKey } from '../../apps/api/src/keys/authenticate-key.ts';
import { FailedAuthentication } from '../../apps/api/src/keys/failed-authentication.ts';
import { startTestHub } from '../../apps/api/src/testing/start-test-hub.ts';
import { BASE62, formToken, KEY_PREFIX, RANDOM_CHARACTERS } from '../../packages/contract/src/index.ts';
import { type Proof, runProof } from './proof.ts';
import { checkSpread, type Rounds, shuffle, type Verdict } from './timing-statistics.ts';

const SHARED_CHARACTERS = [0, 10, 20, 30, 33];
const STORED_KEYS = 500;
const ROUNDS = 4_000;
const WARM_UP_ROUNDS = 300;
/** One time is that of so many checks, since a single one is short for the clock. */
const CHECKS_PER_TIME = 8;
/** How often the deliberate leak compares. The first shows how fine the test is; one of them must be detected. */
const LEAKS = [1, 8, 32];

type Check = (token: string) => Promise<unknown>;

await runProof({ limitSeconds: 180 }, async (proof) => {
  await using hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const issued = await Promise.all(Array.from({ length: STORED_KEYS }, () => hub.admin.issueKey({ hubId })));
  const real = issued[STORED_KEYS / 2]?.key ?? '';
  const noWait = { now: () => Date.now(), monotonic: () => 0, sleep: async () => {}, sinceBoot: () => null };
  const deps = { ...hub.deps, failedAuthentication: new FailedAuthentication(noWait) };
  const check: Check = (token) => authenticateKey(deps, token, '192.0.2.1');

  proof.check('the check accepts the real key', !(await isRejected(check(real))));
  const wrong = SHARED_CHARACTERS.flatMap((shared) => Array.from({ length: 100 }, () => wrongKey(real, shared)));
  const rejected = await Promise.all(wrong.map((token) => isRejected(check(token))));
  proof.check('the check refuses every wrong one', rejected.every(Boolean), `${rejected.length} wrong keys`);

  const verdict = checkSpread(await measure(check, real));
  report(proof, 'the key check', verdict);
  proof.check('a wrong key takes the same time whatever part of it is right', !isSignificant(verdict));

  let isDetected = false;
  // On a busy machine a small leak is lost in the noise: a larger one shows that the test works at all.
  for (const comparisons of LEAKS) {
    if (isDetected) break;
    const leaky: Check = (token) => {
      for (let count = 0; count < comparisons; count += 1) earlyExitEquals(token, real);
      return check(token);
    };
    const leak = checkSpread(await measure(leaky, real));
    report(proof, `with ${comparisons} comparisons that end early`, leak);
    isDetected = isSignificant(leak);
  }
  proof.check('the same test detects a comparison that ends early', isDetected);
});

/** More than chance gives once in a thousand times. */
function isSignificant({ probability }: Verdict): boolean {
  return probability < 0.001;
}

/** A key in the right form that shares exactly the first `shared` random characters with a real one. */
function wrongKey(real: string, shared: number): string {
  const right = real.slice(KEY_PREFIX.length, KEY_PREFIX.length + RANDOM_CHARACTERS);
  let random = right.slice(0, shared);
  while (random.length < RANDOM_CHARACTERS) {
    const character = BASE62.charAt(Math.floor(Math.random() * BASE62.length));
    if (random.length > shared || character !== right.charAt(shared)) random += character;
  }
  // A copy in one piece, as a header gives it: a string that was joined from parts takes its time to read.
  return Buffer.from(formToken(KEY_PREFIX, random), 'latin1').toString('latin1');
}

/**
 * Nanoseconds per check. The classes take turns in a random order that changes in each round. Every wrong key is
 * new, for its place in the index of the hashes makes a difference of its own; and those of a round are made together, in
 * an order of chance too, for the age of a string in memory makes another.
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

function report(proof: Proof, what: string, { medians, spread, chance, probability }: Verdict): void {
  const each = SHARED_CHARACTERS.map((shared, index) => `${shared}: ${((medians[index] ?? 0) / 1000).toFixed(2)}`);
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
  proof.report(`${what}, median µs by shared characters: ${each.join(', ')}`);
  proof.report(`  spread ${percent(spread)}, by chance up to ${percent(chance)}; p = ${probability.toFixed(4)}`);
}
