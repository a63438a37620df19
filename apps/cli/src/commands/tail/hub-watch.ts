import type { Hub } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';

const RETRY_MS = 5_000;

/** Lists the Hubs that you can read. A logged-in admin can list more Hubs, but can read only those they belong to. */
export function readableHubs(cli: Cli): Promise<Hub[]> {
  return cli.api.all<Hub>('/hubs', cli.connection.kind === 'socket' ? { state: 'live' } : { membership: 'mine' });
}

/** Lists the Hubs whenever they may have changed, and once more if they may have changed while being listed. */
export class HubWatch {
  readonly #cli: Cli;
  readonly #onHubs: (hubs: Hub[]) => void;
  readonly #fail: (error: unknown) => void;
  #isListing = false;
  #isOutdated = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(cli: Cli, onHubs: (hubs: Hub[]) => void, fail: (error: unknown) => void) {
    this.#cli = cli;
    this.#onHubs = onHubs;
    this.#fail = fail;
  }

  refresh(): void {
    clearTimeout(this.#timer);
    this.#isOutdated = true;
    if (!this.#isListing && !this.#isStopped) void this.#listUntilCurrent();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #listUntilCurrent(): Promise<void> {
    this.#isListing = true;
    try {
      while (this.#isOutdated && !this.#isStopped) {
        this.#isOutdated = false;
        const hubs = await readableHubs(this.#cli);
        if (!this.#isStopped) this.#onHubs(hubs);
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isListing = false;
    }
  }

  /** Retries if the server is unavailable, even if the live connection did not notice. */
  #failed(error: unknown): void {
    if (this.#isStopped) return;
    if (error instanceof CliError && error.exitCode !== EXIT.notAllowed) {
      this.#timer = setTimeout(() => this.refresh(), RETRY_MS);
    } else this.#fail(error);
  }
}
