import { write } from 'node:fs';

/** So much may wait for a reader that has fallen behind; what comes then is dropped, and counted. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024;
const RETRY_MS = 10;
/** A disk gets room or comes back later than a pipe does. */
const DISK_RETRY_MS = 1_000;
/** The log may lie on the disk that is full. It is needed most just then, and afterwards. */
const DISK_ERRORS: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'];

type Write = (bytes: Uint8Array, done: (error: NodeJS.ErrnoException | null, written: number) => void) => void;

const toStandardOutput: Write = (bytes, done) => write(1, bytes, 0, bytes.length, null, done);

/**
 * Writes lines to a file descriptor without making anyone wait for its reader: what one turn of the event loop logs
 * goes out in one call, and a reader that stands still costs a bounded amount of memory and no request its answer.
 */
export class LineWriter {
  readonly #write: Write;
  readonly #maxWaiting: number;
  readonly #pause: (ms: number) => Promise<void>;
  #lines: string[] = [];
  #waiting = 0;
  #dropped = 0;
  #isBusy = false;
  #isBroken = false;
  #idle: (() => void)[] = [];

  constructor(options: { write?: Write; maxWaitingCharacters?: number; pause?: (ms: number) => Promise<void> } = {}) {
    this.#write = options.write ?? toStandardOutput;
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
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => this.#writeBatch());
  }

  /** Resolves when everything is written, or nobody reads it any more. */
  flush(): Promise<void> {
    if (!this.#isBusy) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #writeBatch(): void {
    if (this.#dropped > 0) {
      this.#lines.push(
        `{"level":"warn","msg":"The reader of the log is too slow","droppedRecords":${this.#dropped}}\n`,
      );
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
      else if (this.#lines.length > 0) this.#writeBatch();
      else this.#becomeIdle();
    });
  }

  async #writeLater(bytes: Uint8Array, ms: number): Promise<void> {
    await this.#pause(ms);
    this.#writeAll(bytes);
  }

  /** The reader has gone away (EPIPE). The server must not end for its log. */
  #giveUp(): void {
    this.#isBroken = true;
    this.#lines = [];
    this.#becomeIdle();
  }

  #becomeIdle(): void {
    this.#isBusy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
