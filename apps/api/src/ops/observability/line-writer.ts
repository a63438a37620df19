import { write } from 'node:fs';

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
