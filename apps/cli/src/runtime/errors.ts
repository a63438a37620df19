import { EXIT, type ExitCode } from './exit-codes.ts';

/** What is known about a failure beside its message; all of it goes into the JSON error. */
export interface ErrorDetails {
  /** What to do next, for a person. */
  hint?: string | undefined;
  statusCode?: number | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** Whether the post may exist although the command failed. */
  mayHaveCreated?: boolean | undefined;
  /** What the doctor found. */
  findings?: readonly unknown[] | undefined;
  /** Ids that the given name could mean. */
  candidates?: string[] | undefined;
}

/** A failure that the user is told in one line. Everything else that is thrown is a fault in this program. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    /** A word for programs: `usage`, `unreachable`, `not_found`, … */
    readonly code: string,
    readonly exitCode: ExitCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }

  toJSON() {
    return { code: this.code, message: this.message, ...this.details, exitCode: this.exitCode };
  }
}

export function usageError(message: string, hint?: string): CliError {
  return new CliError('usage', EXIT.usage, message, { hint });
}

/** Anything thrown, as what the user is told: an error of the file system in plain words, others as faults of hubctl. */
export function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && path !== undefined && Object.hasOwn(FILE_REASONS, code)) {
    return new CliError('failed', EXIT.failed, `${path} cannot be used: ${fileReason(error)}.`);
  }
  return new CliError('internal', EXIT.failed, `Internal error in hubctl: ${message ?? String(error)}`, {
    hint: 'Please report it with the command that you gave.',
  });
}

const FILE_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you do not have permission',
  EPERM: 'you do not have permission',
  ENOENT: 'there is no such file',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EBUSY: 'it is in use',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'there is no room left for you on the disk',
  EFBIG: 'the file would become too large',
  EMFILE: 'too many files are open',
  EIO: 'the device has failed',
};

/** Why a file could not be used, by the code of the operating system, as the end of a sentence. */
export function fileReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return FILE_REASONS[code ?? ''] ?? message ?? String(error);
}

/** The same for a file that is to be written: it is its folder that must be there. */
export function writeReason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'its folder does not exist' : fileReason(error);
}

export function unreachableError(message: string, hint?: string): CliError {
  return new CliError('unreachable', EXIT.unreachable, message, { hint });
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};

/** A refusal of the server. A 403 or 429 with `Retry-After` is a block, not a lack of rights. */
export function responseError(
  failure: { statusCode: number; message: string } & Pick<ErrorDetails, 'requestId' | 'retryAfterSeconds' | 'hint'>,
): CliError {
  const { statusCode, message, ...details } = failure;
  const isBlock = statusCode === 429 || (statusCode === 403 && details.retryAfterSeconds !== undefined);
  if (isBlock) return new CliError('rate_limited', EXIT.rateLimited, message, { ...details, statusCode });
  const exitCode = statusCode === 401 || statusCode === 403 ? EXIT.notAllowed : EXIT.failed;
  const code = CODES[statusCode] ?? (statusCode >= 500 ? 'server_error' : 'refused');
  return new CliError(code, exitCode, message, { ...details, statusCode });
}
