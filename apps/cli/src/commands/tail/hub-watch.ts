import type { Hub } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';

const AGAIN_MS = 5_000;

/** The Hubs that one may read. An admin who has logged in sees more in the list, but reads only his own. */
export function readableHubs(cli: Cli): Promise<Hub[]> {
  return cli.api.all<Hub>('/hubs', cli.connection.kind === 'socket' ? { state: 'live' } : { membership: 'mine' });
}

/** Looks which Hubs there are whenever that may have changed; once more if it changes while it looks. */
export class HubWatch {
  readonly #cli: Cli;
  readonly #onHubs: (hubs: Hub[]) => void;
  readonly #fail: (error: unknown) => void;
  #isLooking = false;
  #isOutdated = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(cli: Cli, onHubs: (hubs: Hub[]) => void, fail: (error: unknown) => void) {
    this.#cli = cli;
    this.#onHubs = onHubs;
    this.#fail = fail;
  }

  look(): void {
    clearTimeout(this.#timer);
    this.#isOutdated = true;
    if (!this.#isLooking && !this.#isStopped) void this.#lookUntilCurrent();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #lookUntilCurrent(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#isOutdated && !this.#isStopped) {
        this.#isOutdated = false;
        const hubs = await readableHubs(this.#cli);
        if (!this.#isStopped) this.#onHubs(hubs);
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isLooking = false;
    }
  }

  /** A server that is away is asked again, also if the connection does not notice. */
  #failed(error: unknown): void {
    if (this.#isStopped) return;
    if (error instanceof CliError && error.exitCode !== EXIT.notAllowed) {
      this.#timer = setTimeout(() => this.look(), AGAIN_MS);
    } else this.#fail(error);
  }
}
