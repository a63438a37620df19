import { SQL } from 'bun';

/**
 * How long the server lets a transaction wait for its client, which may have died without closing the connection. Until
 * then, others wait for the Hub that it holds.
 */
const IDLE_TIMEOUT_MS = 2_000;
/** A node's attempts to connect at the same time. Each costs PostgreSQL a process, even if it is given up. */
const MAX_ATTEMPTS = 2;
const CONNECT_TIMEOUT_MS = 5_000;
/** The pause after the first attempt that failed, and the longest one. */
const PAUSE_MS = { first: 100, max: 1_000 } as const;

interface ConnectorOptions {
  url: string;
  statementTimeoutMs: number;
  /** Spreads the attempts of several nodes: each has another one. */
  seed?: string;
}

interface ClientOptions {
  /** The name under which PostgreSQL lists the connection. */
  name?: string | undefined;
  onClose?: () => void;
}

/** When an attempt is made. */
interface Attempt {
  /** Whether it comes before others. */
  isUrgent?: boolean | undefined;
  /** Whether anyone still waits for the connection when its turn comes. */
  isNeeded?: () => boolean;
}

/**
 * Makes all attempts of a node to connect: few at a time, and ever later if they fail. If all of them began at once and
 * were soon given up, a database that has just come back would be busy with nothing but new attempts.
 */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #waiting: (() => void)[] = [];
  #attempts = 0;
  #failures = 0;
  /** Runs until the pause after a failed attempt is over. */
  #pause: NodeJS.Timeout | undefined;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /** Returns a client with a single connection, which is opened by its first use. */
  client({ name = 'hub', onClose = () => {} }: ClientOptions = {}): SQL {
    const { url, statementTimeoutMs } = this.#options;
    return new SQL({
      url,
      max: 1,
      connectionTimeout: CONNECT_TIMEOUT_MS / 1_000,
      onclose: onClose,
      connection: {
        application_name: name,
        client_encoding: 'UTF8',
        TimeZone: 'UTC',
        // An accepted post is on the disk of the primary, and of the synchronous standby if there is one.
        synchronous_commit: 'on',
        default_transaction_isolation: 'read committed',
        statement_timeout: String(statementTimeoutMs),
        idle_in_transaction_session_timeout: String(IDLE_TIMEOUT_MS),
        // When a node loses its network, its sessions and the lock of the leader end within seconds, not two hours.
        tcp_keepalives_idle: '5',
        tcp_keepalives_interval: '2',
        tcp_keepalives_count: '3',
        tcp_user_timeout: '8000',
      },
    });
  }

  /** Calls `connect` when it is its turn; resolves with `null` if it is no longer needed then. */
  async attempt<T>(
    connect: () => Promise<T>,
    { isUrgent = false, isNeeded = () => true }: Attempt = {},
  ): Promise<T | null> {
    await new Promise<void>((begin) => {
      if (isUrgent) this.#waiting.unshift(begin);
      else this.#waiting.push(begin);
      this.#next();
    });
    try {
      if (!isNeeded()) return null;
      const connection = await connect();
      this.#failures = 0;
      return connection;
    } catch (error) {
      this.#failures += 1;
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => {
        this.#pause = undefined;
        this.#next();
      }, this.#pauseMs());
      throw error;
    } finally {
      this.#attempts -= 1;
      this.#next();
    }
  }

  #next(): void {
    while (!this.#pause && this.#attempts < MAX_ATTEMPTS) {
      const begin = this.#waiting.shift();
      if (!begin) return;
      this.#attempts += 1;
      begin();
    }
  }

  /** Between half of the pause and one and a half, so that nodes which failed together do not come back together. */
  #pauseMs(): number {
    const spread = Number(Bun.hash(`${this.#options.seed} ${this.#failures}`) % 1_000n) / 1_000;
    return Math.min(PAUSE_MS.first * 2 ** (this.#failures - 1), PAUSE_MS.max) * (0.5 + spread);
  }
}
