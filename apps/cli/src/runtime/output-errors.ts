import type { Sink } from './deps.ts';
import { CliError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** Reasons for failed writes, by system error code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is exceeded',
  EFBIG: 'the file would be too large',
  EIO: 'the disk reported an I/O error',
  EBADF: 'standard output is closed',
};

/** The error code for a failed write to standard output, which is reported on standard error even with `--json`. */
export const UNWRITABLE = 'unwritable';

export function unwritableReason(problem: string): string {
  return REASONS[problem] ?? problem;
}

export function unwritable(problem: string): CliError {
  return new CliError(
    UNWRITABLE,
    EXIT.failed,
    `Could not write the output: ${unwritableReason(problem)}. The output is incomplete; changes made by the command are not undone.`,
  );
}

/** Returns the write error of a sink. A closed pipe, as in `hubctl keys list | head -1`, is not an error. */
export function errorOf({ problem }: Sink): string | undefined {
  return problem === 'EPIPE' ? undefined : problem;
}

/** Resolves when all output is written. @throws if it could not be written. */
export async function allWritten(sink: Sink): Promise<void> {
  await sink.drained();
  const problem = errorOf(sink);
  if (problem !== undefined) throw unwritable(problem);
}
