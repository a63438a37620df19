import pino from 'pino';
import type { LogLevel } from '../core/config.ts';
import type { Log } from '../core/ports.ts';
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
  /** The destination of the lines; standard output by default. */
  readonly stream?: { write(line: string): void };
}

export interface ProcessLog extends Log {
  /** Writes everything that is still in memory. Call this last, before the process exits. */
  flush(): Promise<void>;
}

/** Creates a log of JSON records, one per line. Writing does not wait for the reader of the pipe. */
export function createLog({ level, secrets, stream }: LogOptions): ProcessLog {
  const writer = new LineWriter();
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Redacts the complete line with all fields, messages and stacks, so that no secret escapes.
      hooks: { streamWrite: (line) => withoutSecrets(line, secrets) },
    },
    stream ?? writer,
  );
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    flush: () => writer.flush(),
  };
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
