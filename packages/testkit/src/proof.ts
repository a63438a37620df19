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

/**
 * Reads the numbers on the command line, such as `--keys 1000`. An unknown option, or a value that is not a number,
 * ends the program with 2 and a message.
 */
export function numberOptions<Name extends string>(defaults: Readonly<Record<Name, number>>): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const { values } = parseArgs({ options });
    const entries = names.map((name) => {
      const value = values[name] === undefined ? defaults[name] : Number(values[name] || Number.NaN);
      if (!(value >= 0 && Number.isFinite(value)))
        throw new Error(`--${name} must be a number from 0, as in --${name} ${defaults[name]}`);
      return [name, value];
    });
    return Object.fromEntries(entries) as Record<Name, number>;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
