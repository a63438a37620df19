import { write } from 'node:fs';
import { styleText } from 'node:util';
import type { LogFormat, LogLevel } from '../../platform/config.ts';
import { printable } from '../../platform/errors.ts';
import type { Clock, Log } from '../../platform/ports.ts';
import { isoTime } from '../../platform/time.ts';

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
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Creates a log of records, one per line unless they have a stack. Writing does not wait for the reader of the pipe. */
export function createLog({ level, secrets, clock, format, colors = false, stream }: LogOptions): ProcessLog {
  const formatted = (record: string) => (format === 'text' ? recordText(record, { colors }) : record);
  const writer = new LineWriter({ format: formatted });
  const out = stream ?? writer;
  const at = (name: LogLevel): Log[LogLevel] => {
    if (LEVELS.indexOf(name) < LEVELS.indexOf(level)) return () => {};
    // The complete line is redacted, with all fields, messages and stacks, so that no secret escapes.
    return (fields, message) => {
      const head = `"level":"${name}","time":"${isoTime(clock.now())}"`;
      out.write(`${formatted(withoutSecrets(line(head, fields, message), secrets))}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), flush: () => writer.flush() };
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

/** Maximum text buffered for a reader that has fallen behind. Further records are dropped and counted. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024;
const RETRY_MS = 10;
/** After each write, lines are gathered for this long, or until they have this many characters. */
const GATHER_MS = 100;
const GATHER_CHARACTERS = 64 * 1024;
/** A disk takes longer to recover than a pipe. */
const DISK_RETRY_MS = 1_000;
/** Errors after which writing is retried: the log is needed most while its own disk has a problem, and afterwards. */
const DISK_ERRORS: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'];

type Write = (bytes: Uint8Array, done: (error: NodeJS.ErrnoException | null, written: number) => void) => void;

const toStandardOutput: Write = (bytes, done) => write(1, bytes, 0, bytes.length, null, done);

interface LineWriterOptions {
  readonly write?: Write;
  readonly format?: (record: string) => string;
  readonly maxWaitingCharacters?: number;
  readonly pause?: (ms: number) => Promise<void>;
}

/** Writes lines without blocking: the first immediately, later ones gathered. A stalled reader costs bounded memory. */
export class LineWriter {
  readonly #write: Write;
  readonly #format: (record: string) => string;
  readonly #maxWaiting: number;
  readonly #pause: (ms: number) => Promise<void>;
  #lines: string[] = [];
  #waiting = 0;
  #dropped = 0;
  #isBusy = false;
  #isBroken = false;
  #idle: (() => void)[] = [];
  /** Ends the wait for more lines early; `null` while there is no wait. */
  #stopGathering: (() => void) | null = null;

  constructor(options: LineWriterOptions = {}) {
    this.#write = options.write ?? toStandardOutput;
    this.#format = options.format ?? ((record) => record);
    this.#maxWaiting = options.maxWaitingCharacters ?? MAX_WAITING_CHARACTERS;
    this.#pause = options.pause ?? Bun.sleep;
  }

  write(line: string): void {
    if (this.#isBroken) return;
    if (this.#waiting > this.#maxWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#waiting += line.length;
    if (this.#waiting > GATHER_CHARACTERS) this.#stopGathering?.();
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => this.#writeBatch());
  }

  /** Resolves when everything is written, or the reader is gone. */
  flush(): Promise<void> {
    if (!this.#isBusy) return Promise.resolve();
    this.#stopGathering?.();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #writeBatch(): void {
    if (this.#dropped > 0) {
      const record = `{"level":"warn","msg":"The log reader is too slow","droppedRecords":${this.#dropped}}`;
      this.#lines.push(`${this.#format(record)}\n`);
      this.#dropped = 0;
    }
    const batch = this.#lines.join('');
    this.#lines = [];
    this.#waiting = 0;
    this.#writeAll(new TextEncoder().encode(batch));
  }

  #writeAll(bytes: Uint8Array): void {
    this.#write(bytes, (error, written) => {
      if (error?.code === 'EAGAIN') void this.#writeLater(bytes, RETRY_MS);
      else if (DISK_ERRORS.includes(error?.code)) void this.#writeLater(bytes, DISK_RETRY_MS);
      else if (error) this.#giveUp();
      else if (written < bytes.length) this.#writeAll(bytes.subarray(written));
      else void this.#gather();
    });
  }

  async #writeLater(bytes: Uint8Array, ms: number): Promise<void> {
    await this.#pause(ms);
    this.#writeAll(bytes);
  }

  /** Gathers the next lines, since a write for each turn of a busy event loop would cost more than the lines do. */
  async #gather(): Promise<void> {
    if (this.#idle.length === 0 && this.#waiting <= GATHER_CHARACTERS) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#stopGathering = resolve;
      await Promise.race([promise, Bun.sleep(GATHER_MS)]);
      this.#stopGathering = null;
    }
    if (this.#lines.length > 0) this.#writeBatch();
    else this.#finish();
  }

  /** The reader is gone (EPIPE). The server must not stop because of its log. */
  #giveUp(): void {
    this.#isBroken = true;
    this.#lines = [];
    this.#finish();
  }

  #finish(): void {
    this.#isBusy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

const MAX_MESSAGE_CHARACTERS = 1_000;

/** `2026-03-01 10:30:00`, in the time zone of the terminal. Made for the first record, since most logs are JSON. */
let localTime: Intl.DateTimeFormat | undefined;

const LEVEL_STYLES = { debug: 'dim', info: 'dim', warn: 'yellow', error: 'red' } as const;

type Style = (typeof LEVEL_STYLES)[keyof typeof LEVEL_STYLES];

interface ErrorFields {
  readonly type?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

interface TextRecord {
  readonly level: keyof typeof LEVEL_STYLES;
  readonly time?: string;
  readonly msg: string;
  readonly err?: unknown;
  readonly [field: string]: unknown;
}

/** Turns a record of the log (JSON) into text for a terminal, which no character of a request or error can control. */
export function recordText(json: string, { colors }: { colors: boolean }): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as TextRecord;
  const style = (name: Style, text: string) => (colors ? styleText(name, text, { validateStream: false }) : text);
  const [message, rest] = msg === 'request' ? requestText(fields) : [msg, fields];
  localTime ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
  const at = time === undefined ? [] : [style('dim', localTime.format(new Date(time)))];
  const head = [...at, style(LEVEL_STYLES[level], level.padEnd(5))];
  const line = [...head, printable(message, MAX_MESSAGE_CHARACTERS), ...fieldTexts(rest)].join(' ');
  const details = err === undefined ? [] : errorLines(err).map((each) => `\n  ${style('dim', each)}`);
  return line + details.join('');
}

/** Returns `POST /api/v1/hubs 201 3.2 ms` and, if the request failed, what helps to find out why. */
function requestText({ method, path, status, durationMs, ...rest }: Record<string, unknown>) {
  const { error, address, requestId, keyId, userId } = rest;
  const reasons = Number(status) >= 400 ? { error, address, keyId, userId, requestId } : {};
  return [`${method} ${path} ${status} ${durationMs} ms`, reasons] as const;
}

function fieldTexts(fields: object): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${printable(name)}=${valueText(value)}`);
}

function valueText(value: unknown): string {
  return printable(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value));
}

function errorLines(err: unknown, label = ''): string[] {
  if (typeof err !== 'object' || err === null) return [label + valueText(err)];
  const { type, message, stack, cause, errors = [] } = err as ErrorFields;
  if (message === undefined) return [label + valueText(err)];
  return [
    ...`${label}${stack || `${type}: ${message}`}`.split('\n').map((line) => printable(line)),
    ...(cause === undefined ? [] : errorLines(cause, 'Cause: ')),
    ...errors.flatMap((each) => errorLines(each, 'One of: ')),
  ];
}
