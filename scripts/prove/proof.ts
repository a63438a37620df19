import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Proof {
  /** A temporary folder for this proof, removed at the end. */
  readonly folder: string;
  /** Records the result of a check and prints it, with `detail`. */
  check(claim: string, holds: boolean, detail?: string): void;
  /** Prints a measurement. */
  report(line: string): void;
}

export interface ProofOptions {
  /** The proof fails if it takes longer than this. */
  limitSeconds: number;
}

/**
 * Runs a proof as a program: exits with 0 if all checks passed, and with 1 otherwise. An error counts as a failed
 * check.
 */
export async function runProof({ limitSeconds }: ProofOptions, body: (proof: Proof) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-prove-'));
  const counts = { passed: 0, failed: 0 };
  const check = (claim: string, holds: boolean, detail = ''): void => {
    counts[holds ? 'passed' : 'failed'] += 1;
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${claim}${detail && `: ${detail}`}`);
  };
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
    await body({ folder, check, report: (line) => console.log(`     ${line}`) });
  } catch (error) {
    check(
      'the proof finishes without an error',
      false,
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  }
  exit();
}
