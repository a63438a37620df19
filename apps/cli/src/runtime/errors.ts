import { EXIT, type ExitCode } from './exit-codes.ts';

/** Details of an error in addition to its message. All are part of the JSON error. */
interface ErrorDetails {
  /** The next step for the user. */
  hint?: string | undefined;
  statusCode?: number | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** Whether the post may exist although the command failed. */
  mayHaveCreated?: boolean | undefined;
  /** The findings of `hubctl doctor`. */
  findings?: readonly unknown[] | undefined;
  /** IDs that match the given name. */
  candidates?: string[] | undefined;
}

/** An expected error with a message for the user. Any other exception is a bug in hubctl. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    /** A code for programs: `usage`, `unreachable`, `not_found`, … */
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

/** Converts any exception to a `CliError`: file system errors get a readable reason, others become internal errors. */
export function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && path !== undefined && Object.hasOwn(FILE_REASONS, code)) {
    return new CliError('failed', EXIT.failed, `Cannot use ${path}: ${fileReason(error)}.`);
  }
  return new CliError('internal', EXIT.failed, `Internal error in hubctl: ${message ?? String(error)}`, {
    hint: 'Please report it with the command that you ran.',
  });
}

const FILE_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you do not have permission',
  EPERM: 'you do not have permission',
  ENOENT: 'no such file',
  ENOTDIR: 'part of its path is not a directory',
  EISDIR: 'it is a directory',
  EEXIST: 'it already exists',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
  EBUSY: 'it is in use',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is exceeded',
  EFBIG: 'the file would be too large',
  EMFILE: 'too many files are open',
  EIO: 'the disk reported an I/O error',
};

/** Returns the reason for a file system error, as the end of a sentence. */
export function fileReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return FILE_REASONS[code ?? ''] ?? message ?? String(error);
}

/** Returns the reason for a failed write, where ENOENT means a missing directory. */
export function writeReason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'its directory does not exist' : fileReason(error);
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

/** Converts an error response from the server. A 403 or 429 with `Retry-After` is a block, not a missing permission. */
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
