import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export interface Proof {
  /** A temporary folder for this proof, removed at the end. */
  readonly folder: string;
  /** Records the result of a check and prints it, with `detail`. */
  check(claim: string, holds: boolean, detail?: string): void;
  /** Checks that there are no problems, and prints the first three. */
  none(claim: string, problems: readonly string[], detail?: string): void;
  /** Prints a measurement. */
  report(line: string): void;
}

export interface ProofOptions {
  /** The proof fails if it takes longer than this. */
  limitSeconds: number;
}

/**
 * Runs a proof as a program: prints a line for each check, then `N passed, N failed`. Exits with 0 if all checks
 * passed, and with 1 otherwise. An error counts as a failed check.
 */
export async function runProof({ limitSeconds }: ProofOptions, body: (proof: Proof) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-prove-'));
  const counts = { passed: 0, failed: 0 };
  const check = (claim: string, holds: boolean, detail = ''): void => {
    counts[holds ? 'passed' : 'failed'] += 1;
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${claim}${detail && `: ${detail}`}`);
  };
  const none = (claim: string, problems: readonly string[], detail = ''): void =>
    check(claim, problems.length === 0, [detail, ...problems.slice(0, 3)].filter(Boolean).join('; '));
  const exit = (): never => {
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
  };
  // Each server has its own listener that kills it when this process exits. The folder is removed after that.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.on('SIGINT', () => process.exit(130));
  setTimeout(() => {
    check('the proof finishes in time', false, `took longer than ${limitSeconds} s`);
    exit();
  }, limitSeconds * 1000).unref();

  try {
    await body({ folder, check, none, report: (line) => console.log(`     ${line}`) });
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    check('the proof finishes without an error', false, detail);
  }
  exit();
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
 * default. An unknown option, or a value that is not a number, ends the program with 2 and a message.
 */
export function proofOptions<Defaults extends Readonly<Record<string, Value>>>(defaults: Defaults): Options<Defaults> {
  const known = Object.entries(defaults);
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
    const { values } = parseArgs({ options: Object.fromEntries(types) });
    const entries = known.map(([name, standard]) => [name, read(name, standard, values[name])]);
    return Object.fromEntries(entries) as Options<Defaults>;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
