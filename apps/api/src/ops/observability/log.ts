import type { LogFormat, LogLevel } from '../../platform/config.ts';
import type { Clock, Log } from '../../platform/ports.ts';
import { isoTime } from '../../platform/time.ts';
import { LineWriter } from './line-writer.ts';
import { recordText } from './log-text.ts';

/** Matches secrets, even partial (16 characters) or percent-encoded. Hints in lists of keys are shorter. */
const SECRET_FORM = /hub(?:_|%5[Ff])(live|pat|ses|lnk)(?:_|%5[Ff])(?:(?!hub(?:_|%5[Ff]))[0-9A-Za-z]){16,}/g;

/** Matches in every line with a secret, and in few others. `SECRET_FORM` would double the cost of a line. */
const MARK = /_(?:live|pat|ses|lnk)_|%5/;

interface LogOptions {
  readonly level: LogLevel;
  /** Values that must never be written, whatever message or field contains them. */
  readonly secrets: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  /** `text` is for people; JSON by default. */
  readonly format?: LogFormat;
  readonly colors?: boolean;
  readonly stream?: { write(line: string): void };
}

export interface ProcessLog extends Log {
  /** Writes everything that is still in memory. Call this last, before the process exits. */
  flush(): Promise<void>;
  /** Runs `act` once, after the next record has been written. Replaces an earlier one that is still waiting. */
  afterNextRecord(act: () => unknown): void;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Creates a log of records, one per line unless they have a stack. Writing does not wait for the reader of the pipe. */
export function createLog({ level, secrets, clock, format, colors = false, stream }: LogOptions): ProcessLog {
  const formatted = (record: string) => (format === 'text' ? recordText(record, { colors }) : record);
  const writer = new LineWriter({ format: formatted });
  const out = stream ?? writer;
  let afterNext: (() => unknown) | null = null;
  const at = (name: LogLevel): Log[LogLevel] => {
    if (LEVELS.indexOf(name) < LEVELS.indexOf(level)) return () => {};
    // The complete line is redacted, with all fields, messages and stacks, so that no secret escapes.
    return (fields, message) => {
      const head = `"level":"${name}","time":"${isoTime(clock.now())}"`;
      out.write(`${formatted(withoutSecrets(line(head, fields, message), secrets))}\n`);
      if (afterNext === null) return;
      void writer.flush().then(afterNext);
      afterNext = null;
    };
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: () => writer.flush(),
    afterNextRecord: (act) => {
      afterNext = act;
    },
  };
}

/** Builds a record from its level and time, its fields, and the message. */
function line(head: string, fields: { readonly err?: unknown }, message: string): string {
  const record = 'err' in fields ? { ...fields, err: describeError(fields.err) } : fields;
  const text = fieldsText(record);
  return text === ''
    ? `{${head},"msg":${JSON.stringify(message)}}`
    : `{${head},${text},"msg":${JSON.stringify(message)}}`;
}

/** Returns the JSON of the fields without its braces. A field that JSON cannot hold costs neither the others nor the request. */
function fieldsText(fields: object): string {
  try {
    return JSON.stringify(fields).slice(1, -1);
  } catch {
    const texts = Object.entries(fields).map(([name, value]) => [name, textOf(value)]);
    return JSON.stringify(Object.fromEntries(texts)).slice(1, -1);
  }
}

function textOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return Bun.inspect(value, { depth: 2 });
  }
}

const MAX_CAUSES = 5;

/** Returns the name, message, stack and own fields (such as `code`) of an error, its causes, and the errors it combines. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  if (depth > MAX_CAUSES) return String(error);
  const { cause, errors } = error as Error & { errors?: unknown };
  return {
    ...error,
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...(cause === undefined ? {} : { cause: describeError(cause, depth + 1) }),
    ...(Array.isArray(errors) ? { errors: errors.map((each) => describeError(each, depth + 1)) } : {}),
  };
}

function withoutSecrets(line: string, secrets: readonly string[]): string {
  let clean = MARK.test(line) ? line.replace(SECRET_FORM, 'hub_$1_[hidden]') : line;
  for (const secret of secrets) clean = clean.replaceAll(secret, '[hidden]');
  return clean;
}
