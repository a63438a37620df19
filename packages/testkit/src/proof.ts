import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changeSource, type SourceChange } from './source-change.ts';

export interface Proof {
  /** A temporary folder for this proof, removed at the end. */
  readonly folder: string;
  /** Whether this is the counter-proof, for a proof whose change is not in the source of the server. */
  readonly isCounterProof: boolean;
  /** Records the result of a check and prints it, with `detail`. */
  check(claim: string, holds: boolean, detail?: string): void;
  /** Checks that there are no problems, and prints the first three and how many there are. */
  none(claim: string, problems: readonly string[], detail?: string): void;
  /** Prints a measurement. */
  report(line: string): void;
}

const COUNTER_PROOF = 'counter-proof';
const isCounterProof = process.argv.includes(`--${COUNTER_PROOF}`);
/** Which of several counter-proofs this process runs. */
const { COUNTER_PROOF_INDEX } = process.env;

/** A change that breaks the promise, and the check that must notice it. */
interface CounterProof {
  /** Applied to every server; a proof without one makes the change itself if `isCounterProof`. */
  readonly change?: SourceChange;
  /** A part of the claim of that check. */
  readonly fails: string;
}

interface ProofOptions {
  /** The proof fails if it takes longer than this. */
  limitSeconds: number;
  /** One, or several for a proof of several promises. Each of these runs in a process of its own. */
  counterProof?: CounterProof | readonly CounterProof[];
}

/**
 * Runs a proof as a program: prints a line for each check, then `N passed, N failed`. Exits with 0 if all checks
 * passed, and with 1 otherwise. An error counts as a failed check.
 *
 * With `--counter-proof`, the proof runs with the change of its counter-proof until the check that must notice it has
 * failed, and exits with 0 only then.
 */
export async function runProof(
  { limitSeconds, counterProof: given = [] }: ProofOptions,
  body: (proof: Proof) => Promise<void>,
): Promise<void> {
  const all = [given].flat();
  if (isCounterProof && all.length > 1 && COUNTER_PROOF_INDEX === undefined) runEach(all);
  const counterProof = all[Number(COUNTER_PROOF_INDEX ?? 0)];
  if (isCounterProof && !counterProof) {
    console.error('This proof has no counter-proof');
    process.exit(2);
  }
  if (isCounterProof && counterProof?.change) changeSource(counterProof.change);
  const folder = mkdtempSync(join(tmpdir(), 'hub-prove-'));
  const counts = { passed: 0, failed: 0 };
  const record = (claim: string, holds: boolean, detail: string): void => {
    counts[holds ? 'passed' : 'failed'] += 1;
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${claim}${detail && `: ${detail}`}`);
  };
  let isChecked = false;
  const check = (claim: string, holds: boolean, detail = ''): void => {
    const mustFail = claim.includes(counterProof?.fails ?? '');
    isChecked ||= mustFail;
    if (!isCounterProof) {
      record(claim, holds, detail);
    } else if (holds || !mustFail) {
      console.log(`     ${holds ? 'holds' : 'fails'}: ${claim}${detail && `: ${detail}`}`);
    } else {
      record(`the change is noticed, since this fails: ${claim}`, true, detail);
      exit();
    }
  };
  const none = (claim: string, problems: readonly string[], detail = ''): void => {
    const total = problems.length > 3 ? `${problems.length} in all` : '';
    check(claim, problems.length === 0, [detail, ...problems.slice(0, 3), total].filter(Boolean).join('; '));
  };
  const exit = (): never => {
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
  };
  // Each server has its own listener that kills it when this process exits. The folder is removed after that.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.on('SIGINT', () => process.exit(130));
  setTimeout(() => {
    record('the proof finishes in time', false, `took longer than ${limitSeconds} s`);
    exit();
  }, limitSeconds * 1000).unref();

  try {
    await body({ folder, isCounterProof, check, none, report: (line) => console.log(`     ${line}`) });
    const problem = isChecked ? 'it does not' : 'no check has this in its claim';
    if (isCounterProof) record(`the change makes this fail: ${counterProof?.fails}`, false, problem);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    record('the proof finishes without an error', false, detail);
  }
  exit();
}

/** Runs this program once for each counter-proof, prints a total, and exits. */
function runEach(all: readonly CounterProof[]): never {
  let passed = 0;
  for (const [n, { fails }] of all.entries()) {
    console.log(`counter-proof ${n + 1} of ${all.length}: ${fails}`);
    const env = { ...process.env, COUNTER_PROOF_INDEX: String(n) };
    const { exitCode } = Bun.spawnSync([process.execPath, ...process.argv.slice(1)], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (exitCode === 0) passed += 1;
  }
  console.log(`${passed} passed, ${all.length - passed} failed`);
  process.exit(passed === all.length ? 0 : 1);
}

type Value = number | boolean | string;
type Options<Defaults> = {
  readonly [Name in keyof Defaults]: Defaults[Name] extends boolean
    ? boolean
    : Defaults[Name] extends number
      ? number
      : string;
};

/**
 * Reads the options of a proof from the command line: numbers, as in `--keys 1000`, flags and text, depending on the
 * default. `inCounterProof` has the defaults that differ in the counter-proof. An unknown option, or a value that is not
 * a number, ends the program with 2 and a message.
 */
export function proofOptions<Defaults extends Readonly<Record<string, Value>>>(
  defaults: Defaults,
  inCounterProof: Partial<Options<Defaults>> = {},
): Options<Defaults> {
  const known = Object.entries<Value>(isCounterProof ? { ...defaults, ...inCounterProof } : defaults);
  const read = (name: string, standard: Value, given: string | boolean | undefined): Value => {
    if (given === undefined || typeof given !== 'string' || typeof standard === 'string') return given ?? standard;
    const value = given.trim() === '' ? Number.NaN : Number(given);
    if (value >= 0 && Number.isFinite(value)) return value;
    throw new Error(`--${name} must be a number from 0, as in --${name} ${standard}`);
  };
  try {
    const types = known.map(([name, standard]) => {
      return [name, { type: typeof standard === 'boolean' ? 'boolean' : 'string' } as const] as const;
    });
    const options = { ...Object.fromEntries(types), [COUNTER_PROOF]: { type: 'boolean' } as const };
    const values: Readonly<Record<string, string | boolean | undefined>> = parseArgs({ options }).values;
    const entries = known.map(([name, standard]) => [name, read(name, standard, values[name])]);
    return Object.fromEntries(entries) as Options<Defaults>;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
