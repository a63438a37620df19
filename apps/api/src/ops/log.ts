import pino from 'pino';
import type { LogLevel } from '../config.ts';
import type { Log } from '../ports.ts';
import { LineWriter } from './line-writer.ts';

/**
 * Any secret of the server's own form, also with its underscores percent-encoded as a path may have them. Half a
 * secret is hidden too: 16 characters are far more than the few that lists show to tell keys apart.
 */
const SECRET_FORM = /hub(?:_|%5[Ff])(live|pat|ses|lnk)(?:_|%5[Ff])(?:(?!hub(?:_|%5[Ff]))[0-9A-Za-z]){16,}/g;

/** One of these is in every line that holds a secret. */
const MARKS: readonly string[] = ['_live_', '_pat_', '_ses_', '_lnk_', '%5'];

export interface LogOptions {
  readonly level: LogLevel;
  /** Values that must never be written, whatever a message or a field holds. */
  readonly secrets: readonly string[];
  /** Where the lines go; standard output if it is left out. */
  readonly stream?: { write(line: string): void };
}

export interface ProcessLog extends Log {
  /** Writes out what is still in memory: the last thing to do before the process ends. */
  flush(): Promise<void>;
}

/** JSON, one record a line. Writing does not wait for the reader of the pipe. */
export function createLog({ level, secrets, stream }: LogOptions): ProcessLog {
  const writer = new LineWriter();
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // The whole line passes here, with all fields, messages and stacks in it, so that nothing goes around the belt.
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

/** Spares nearly every line the regular expression, which costs as much as the rest of its writing. */
function mayHoldSecret(line: string): boolean {
  return MARKS.some((mark) => line.includes(mark));
}
