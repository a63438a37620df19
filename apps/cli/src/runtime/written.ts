import type { Sink } from './deps.ts';
import { CliError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** Why nothing can be written, by the code of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'there is no room left for you on the disk',
  EFBIG: 'the file would become too large',
  EIO: 'the device has failed',
  EBADF: 'standard output is closed',
};

/** Standard output that cannot be written, which is told on standard error, also with `--json`. */
export const UNWRITABLE = 'unwritable';

export function unwritableReason(problem: string): string {
  return REASONS[problem] ?? problem;
}

export function unwritable(problem: string): CliError {
  return new CliError(
    UNWRITABLE,
    EXIT.failed,
    `The output could not be written: ${unwritableReason(problem)}. What there is of it is not whole; what the command has done stays done.`,
  );
}

/** What went wrong with a sink and should be told. That nobody reads any more is no fault: `hubctl keys list | head -1`. */
export function errorOf({ problem }: Sink): string | undefined {
  return problem === 'EPIPE' ? undefined : problem;
}

/** Resolves when all of it has left. @throws if it could not be written. */
export async function allWritten(sink: Sink): Promise<void> {
  await sink.drained();
  const problem = errorOf(sink);
  if (problem !== undefined) throw unwritable(problem);
}
