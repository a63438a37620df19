import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withConcurrency } from '@hub/testkit';
import { changeSource, isInSource, type SourceChange } from './source-change.ts';

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
  /** Runs a part of the proof, unless `--part` or the counter-proof names another one. */
  part(name: string, work: () => Promise<void>): Promise<void>;
}

const COUNTER_PROOF = 'counter-proof';
const isCounterProof = process.argv.includes(`--${COUNTER_PROOF}`);
const isLong = process.argv.includes('--long');
/** Which of several counter-proofs this process runs. */
const { COUNTER_PROOF_INDEX } = process.env;

/**
 * A change to the source of every server that breaks the promise, and the check that must notice it. A proof without a
 * `file` to change breaks its promise itself if `isCounterProof`.
 */
type CounterProof = (SourceChange | { readonly file?: undefined }) & {
  /** A part of the claim of that check. */
  readonly fails: string;
  /** The part of the proof that has this check; the others do not run. */
  readonly part?: string;
};

interface ProofOptions {
  /** The proof fails if it takes longer than this. */
  limitSeconds: number;
  /** The first one runs with `--counter-proof`, all of them with `--long` as well, each in a process of its own. */
  counterProofs: readonly [CounterProof, ...CounterProof[]];
}

/**
 * Runs a proof as a program: prints a line for each check, then `N passed, N failed`. Exits with 0 if all checks
 * passed, and with 1 otherwise. An error counts as a failed check.
 *
 * With `--counter-proof`, the proof runs with the change of its counter-proof until the check that must notice it has
 * failed, and exits with 0 only then.
 */
export async function runProof(
  { limitSeconds, counterProofs }: ProofOptions,
  body: (proof: Proof) => Promise<void>,
): Promise<void> {
  if (isCounterProof && isLong && COUNTER_PROOF_INDEX === undefined) return runEach(counterProofs);
  const counterProof = isCounterProof ? counterProofs[Number(COUNTER_PROOF_INDEX ?? 0)] : undefined;
  if (counterProof?.file !== undefined) changeSource(counterProof);
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
    if (!counterProof) {
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
  const report = (line: string): void => console.log(`     ${line}`);
  const only = counterProof?.part ?? partOption();
  // In every run, so that a change of the source that a counter-proof needs is noticed at once.
  for (const each of counterProofs) {
    if (each.file !== undefined && !isInSource(each))
      record('the source has the line that a counter-proof changes', false, each.find);
  }
  const part = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (only !== undefined && only !== name) return;
    const start = performance.now();
    await work();
    report(`(${name}: ${((performance.now() - start) / 1000).toFixed(1)} s)`);
  };
  const exit = (): never => {
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
  };
  // Each server has its own listener that kills it when this process exits. The folder is removed after that.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));
  setTimeout(() => {
    record('the proof finishes in time', false, `took longer than ${limitSeconds} s`);
    exit();
  }, limitSeconds * 1000).unref();

  try {
    await body({ folder, isCounterProof, check, none, report, part });
    const problem = isChecked ? 'it does not' : 'no check has this in its claim';
    if (counterProof) record(`the change makes this fail: ${counterProof.fails}`, false, problem);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    record('the proof finishes without an error', false, detail);
  }
  exit();
}

/** Runs this program once for each counter-proof, two at a time, prints a total, and exits. */
async function runEach(all: readonly CounterProof[]): Promise<never> {
  const codes = await withConcurrency(
    all,
    async ({ fails }, n) => {
      const env = { ...process.env, COUNTER_PROOF_INDEX: String(n) };
      const child = Bun.spawn([process.execPath, ...process.argv.slice(1)], { env, stderr: 'inherit' });
      const out = await new Response(child.stdout).text();
      console.log(`counter-proof ${n + 1} of ${all.length}: ${fails}\n${out.trimEnd()}`);
      return child.exited;
    },
    2,
  );
  const passed = codes.filter((code) => code === 0).length;
  console.log(`${passed} passed, ${all.length - passed} failed`);
  process.exit(passed === all.length ? 0 : 1);
}

type Options<Defaults> = { readonly [Name in keyof Defaults]: Defaults[Name] extends boolean ? boolean : number };

/**
 * Reads the options of a proof from the command line: numbers, as in `--keys 1000`, and flags, depending on the default.
 * With `--long`, the defaults of `long` apply instead; in the counter-proof, those of `inCounterProof`. An unknown option,
 * or a value that is not a number, ends the program with 2 and a message.
 */
export function proofOptions<Defaults extends Readonly<Record<string, number | boolean>>>(
  short: Defaults,
  changes: { long?: Partial<Options<Defaults>>; inCounterProof?: Partial<Options<Defaults>> } = {},
): Options<Defaults> {
  const options: Record<string, number | boolean> = {
    ...short,
    ...(isCounterProof ? changes.inCounterProof : isLong && changes.long),
  };
  const types = Object.entries(options).map(([name, standard]) => {
    return [name, { type: typeof standard === 'boolean' ? 'boolean' : 'string' } as const] as const;
  });
  try {
    const { values } = parseArgs({ options: { ...Object.fromEntries(types), ...COMMON_OPTIONS } });
    for (const [name, given] of Object.entries(values).filter(([name]) => name in options)) {
      const value = typeof given === 'string' ? Number(given.trim() || Number.NaN) : (given as boolean);
      if (!Number.isFinite(Number(value)) || Number(value) < 0)
        throw new Error(`--${name} must be a number from 0, as in --${name} ${options[name]}`);
      options[name] = value;
    }
    return options as Options<Defaults>;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

const COMMON_OPTIONS = {
  [COUNTER_PROOF]: { type: 'boolean' },
  long: { type: 'boolean' },
  part: { type: 'string' },
} as const;

/** The name in `--part NAME`. */
function partOption(): string | undefined {
  return parseArgs({ options: COMMON_OPTIONS, strict: false }).values.part as string | undefined;
}
