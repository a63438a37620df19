import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Proof {
  /** A folder of this proof's own, removed at its end. */
  readonly folder: string;
  /** Notes whether something that must hold does; `detail` is printed with it. */
  check(what: string, holds: boolean, detail?: string): void;
  /** Prints what was measured. */
  say(line: string): void;
}

export interface ProofOptions {
  /** A proof that hangs fails after so long. */
  limitSeconds: number;
}

/** Runs a proof as a whole program: ends the process with 0 if all held, else with 1. What it throws is a failure. */
export async function runProof({ limitSeconds }: ProofOptions, body: (proof: Proof) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-prove-'));
  const counts = { passed: 0, failed: 0 };
  const check = (what: string, holds: boolean, detail = ''): void => {
    counts[holds ? 'passed' : 'failed'] += 1;
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}${detail && `: ${detail}`}`);
  };
  const end = (): never => {
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
  };
  // Servers end with this process, each by a listener of its own; the folder goes after them.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.on('SIGINT', () => process.exit(130));
  setTimeout(() => {
    check('the proof ends in time', false, `it took longer than ${limitSeconds} s`);
    end();
  }, limitSeconds * 1000).unref();

  try {
    await body({ folder, check, say: (line) => console.log(`     ${line}`) });
  } catch (error) {
    check('the proof runs to its end', false, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  end();
}
