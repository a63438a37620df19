import type { Command, Option } from 'commander';

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
    message: string,
    readonly details: ErrorDetails = {},
    readonly exitCode: ExitCode = EXIT_OF_CODE[code] ?? EXIT.failed,
  ) {
    super(message);
  }

  /** Returns this error with another message or other details. */
  with({ message = this.message, ...details }: ErrorDetails & { message?: string }): CliError {
    return new CliError(this.code, message, { ...this.details, ...details }, this.exitCode);
  }

  toJSON() {
    return { code: this.code, message: this.message, ...this.details, exitCode: this.exitCode };
  }
}

/** Returns an error, whose code also decides the exit code. */
export function failed(code: string, message: string, hint?: string): CliError {
  return new CliError(code, message, { hint });
}

export function usageError(message: string, hint?: string): CliError {
  return failed('usage', message, hint);
}

export function unreachableError(message: string, hint?: string): CliError {
  return failed('unreachable', message, hint);
}

/** Converts any exception to a `CliError`: file system errors get a readable reason, others become internal errors. */
export function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && path !== undefined && Object.hasOwn(FILE_REASONS, code)) {
    return failed('failed', `Cannot use ${path}: ${fileReason(error)}.`);
  }
  return failed(
    'internal',
    `Internal error in hubctl: ${message ?? String(error)}`,
    'Please report it with the command that you ran.',
  );
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
  const isBlock = statusCode === 403 && details.retryAfterSeconds !== undefined;
  const code = CODES[statusCode] ?? (statusCode >= 500 ? 'server_error' : 'refused');
  return new CliError(isBlock ? 'rate_limited' : code, message, { ...details, statusCode });
}

/** Exit codes of hubctl. Scripts branch on these, so a number never changes its meaning. */
export const EXIT = {
  done: 0,
  /** The server returned an error, or something else failed. */
  failed: 1,
  /** The command line is invalid, according to hubctl or the server; nothing was done. See docs/hubctl.md. */
  usage: 2,
  /** No response from the server. */
  unreachable: 3,
  /** 401 or 403, or no permission to use the socket. */
  notAllowed: 4,
  /** The key is blocked; the message says for how many seconds. */
  rateLimited: 5,
  /** Nobody answered a question in time. */
  expired: 6,
  /** Ctrl-C, by the convention of shells: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit codes of errors by their code; all others are `EXIT.failed`. */
const EXIT_OF_CODE: Readonly<Record<string, ExitCode>> = {
  usage: EXIT.usage,
  unreachable: EXIT.unreachable,
  timeout: EXIT.unreachable,
  unauthenticated: EXIT.notAllowed,
  forbidden: EXIT.notAllowed,
  not_member: EXIT.notAllowed,
  rate_limited: EXIT.rateLimited,
};

/** The options that set the fields of requests, if they have other names. */
const OPTIONS_OF_FIELD: Readonly<Record<string, readonly string[]>> = {
  dueDate: ['--due'],
  expiresAt: ['--expires-at'],
  from: ['--from', '--since'],
  lifetimeSeconds: ['--expires-in'],
  retentionDays: ['--retention'],
  targetId: ['--target'],
  to: ['--to', '--until', '--mail'],
};

/** Rewords a validation error (400) in names of options. Values of the command line are usage errors (exit 2). */
export function inOptions(error: CliError, command: Command | undefined): CliError {
  if (error.details.statusCode !== 400 || command === undefined) return error;
  const [field = ''] = /^[a-z][a-zA-Z]*(?= )/.exec(error.message) ?? [];
  const isGiven = (option: Option) => command.getOptionValueSource(option.attributeName()) === 'cli';
  const names = OPTIONS_OF_FIELD[field] ?? [`--${field}`];
  const option = command.options.find((each) => names.includes(each.long ?? '') && isGiven(each));
  const position = command.registeredArguments.findIndex((argument) => argument.name() === field);
  const isArgument = position >= 0 && ![undefined, '-'].includes(command.processedArgs[position]);
  const isNoField = error.message.startsWith(`${field} is not a field`);
  const subject = option?.long ?? (field === '' || isNoField ? field : `The ${field}`);
  const message = `${subject}${error.message.slice(field.length)}`
    .replaceAll(/\b[a-z]+[A-Z][a-zA-Z]+\b/g, (word) => OPTIONS_OF_FIELD[word]?.[0] ?? word)
    // This applies to JSON; the option has its own keyword.
    .replace(/; send null to clear it$/, '');
  return option || isArgument ? new CliError('usage', message, error.details) : error.with({ message });
}
