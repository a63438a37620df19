import type { Cli } from './cli.ts';
import { showBytes } from './format.ts';

/** Short operations end before the first line is drawn. */
const REDRAW_MS = 250;

/**
 * A line on standard error that shows how far a transfer is, while it takes longer than a moment. Draws nothing unless
 * standard error is a terminal. Call `end` in any case, so that nothing remains of the line.
 */
export class Progress {
  readonly #cli: Cli;
  readonly #timer: NodeJS.Timeout | undefined;
  #label: string;
  #bytes = 0;
  #total: number | undefined;
  #isDrawn = false;

  /** `label` says what hubctl is doing, such as `Waiting for the server`. */
  constructor(cli: Cli, label: string) {
    this.#cli = cli;
    this.#label = label;
    const { stderr, env } = cli.deps;
    if (!stderr.isTTY || env.TERM === 'dumb') return;
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS);
    this.#timer.unref();
  }

  /** Counts the bytes of a transfer. `total` is known when the first chunk arrives, or never. */
  async *counted(
    label: string,
    chunks: AsyncIterable<Uint8Array>,
    total?: () => number | undefined,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#label = label;
      this.add(chunk.byteLength, total?.());
      yield chunk;
    }
  }

  add(bytes: number, total: number | undefined): void {
    this.#bytes += bytes;
    this.#total = total;
  }

  /** Whether anything is drawn at all. */
  get isShown(): boolean {
    return this.#timer !== undefined;
  }

  /** Names the next step. Draws it at once, since the step may block the event loop. */
  next(label: string): void {
    this.#label = label;
    this.#bytes = 0;
    if (this.#isDrawn) this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#isDrawn) this.#cli.output.redraw('');
    this.#isDrawn = false;
  }

  #draw(): void {
    this.#isDrawn = true;
    const [bytes, total = 0] = [this.#bytes, this.#total];
    const percent = total < bytes ? '' : ` of ${showBytes(total)} (${Math.floor((bytes / total) * 100)}%)`;
    this.#cli.output.redraw(`${this.#label}${bytes === 0 ? '' : `: ${showBytes(bytes)}${percent}`} …`);
  }
}
