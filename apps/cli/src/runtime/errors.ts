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
export function refusalError(
  refusal: { statusCode: number; message: string } & Pick<ErrorDetails, 'requestId' | 'retryAfterSeconds' | 'hint'>,
): CliError {
  const { statusCode, message, ...details } = refusal;
  const isBlock = statusCode === 429 || (statusCode === 403 && details.retryAfterSeconds !== undefined);
  if (isBlock) return new CliError('rate_limited', EXIT.rateLimited, message, { ...details, statusCode });
  const exitCode = statusCode === 401 || statusCode === 403 ? EXIT.notAllowed : EXIT.failed;
  const code = CODES[statusCode] ?? (statusCode >= 500 ? 'server_error' : 'refused');
  return new CliError(code, exitCode, message, { ...details, statusCode });
}
