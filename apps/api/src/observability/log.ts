import type { LogLevel } from '../core/config.ts';
import type { Clock, Log } from '../core/ports.ts';
import { isoTime } from '../core/time.ts';
import { LineWriter } from './line-writer.ts';

/**
 * Matches any secret in the server's format, even if its underscores are percent-encoded, as in a path. Partial secrets
 * of 16 or more characters match too. The hints in lists of keys are far shorter.
 */
const SECRET_FORM = /hub(?:_|%5[Ff])(live|pat|ses|lnk)(?:_|%5[Ff])(?:(?!hub(?:_|%5[Ff]))[0-9A-Za-z]){16,}/g;

/** Every line with a secret contains one of these. */
const MARKS: readonly string[] = ['_live_', '_pat_', '_ses_', '_lnk_', '%5'];

export interface LogOptions {
  readonly level: LogLevel;
  /** Values that must never be written, whatever message or field contains them. */
  readonly secrets: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  /** The destination of the lines; standard output by default. */
  readonly stream?: { write(line: string): void };
}

export interface ProcessLog extends Log {
  /** Writes everything that is still in memory. Call this last, before the process exits. */
  flush(): Promise<void>;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Creates a log of JSON records, one per line. Writing does not wait for the reader of the pipe. */
export function createLog({ level, secrets, clock, stream }: LogOptions): ProcessLog {
  const writer = new LineWriter();
  const out = stream ?? writer;
  const at = (name: LogLevel): Log[LogLevel] => {
    if (LEVELS.indexOf(name) < LEVELS.indexOf(level)) return () => {};
    // The complete line is redacted, with all fields, messages and stacks, so that no secret escapes.
    return (fields, message) =>
      out.write(
        `${withoutSecrets(line(`"level":"${name}","time":"${isoTime(clock.now())}"`, fields, message), secrets)}\n`,
      );
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: () => writer.flush(),
  };
}

/** Builds a record from its level and time, its fields, and the message. */
function line(head: string, fields: { readonly err?: unknown }, message: string): string {
  const msg = JSON.stringify(message);
  try {
    const record = JSON.stringify('err' in fields ? { ...fields, err: describeError(fields.err) } : fields);
    return record === '{}' ? `{${head},"msg":${msg}}` : `{${head},${record.slice(1, -1)},"msg":${msg}}`;
  } catch (error) {
    // Fields that JSON cannot hold must not cost the record, nor the request that it is about.
    return `{${head},"fieldsError":${JSON.stringify(String(error))},"msg":${msg}}`;
  }
}

/** Returns the name, message, stack and own fields (such as `code`) of an error, and its causes. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { ...error, type: error.name, message: error.message, stack: error.stack, ...cause };
}

export function withoutSecrets(line: string, secrets: readonly string[]): string {
  let clean = mayHoldSecret(line) ? line.replace(SECRET_FORM, 'hub_$1_[hidden]') : line;
  for (const secret of secrets) clean = clean.replaceAll(secret, '[hidden]');
  return clean;
}

/** Rules out nearly every line before the regular expression, which would double the cost of writing. */
function mayHoldSecret(line: string): boolean {
  return MARKS.some((mark) => line.includes(mark));
}
