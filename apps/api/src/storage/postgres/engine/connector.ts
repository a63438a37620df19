import { SQL } from 'bun';
import { type DatabaseAddress, readDatabaseAddress } from '../../../platform/config-schemas.ts';

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
  /** How long a transaction may wait for its client; by default, two seconds. */
  idleTimeoutMs?: number;
  /** Spreads the attempts of several nodes: each has another one. */
  seed?: string;
}

interface ClientOptions {
  /** The name under which PostgreSQL lists the connection. */
  name?: string | undefined;
  onClose?: () => void;
}

/** Which attempts come before others: those for health, for the first connection of a pool, and for further ones. */
type AttemptRank = 0 | 1 | 2;

/** When an attempt is made. */
interface Attempt extends ClientOptions {
  rank?: AttemptRank;
  /** Whether anyone still waits for the connection when its turn comes. */
  isNeeded?: () => boolean;
  /** Whether it begins with LISTEN, for which Bun opens a connection of its own, and which fails on a standby. */
  isListening?: boolean;
}

class StandbyError extends Error {}

async function requirePrimary(client: SQL): Promise<void> {
  const [row] = await client<{ transaction_read_only: string }[]>`SHOW transaction_read_only`;
  if (row?.transaction_read_only !== 'off') throw new StandbyError('the server does not accept writes');
}

/**
 * Makes all attempts of a node to connect: few at a time, and ever later if they fail. If all of them began at once and
 * were soon given up, a database that has just come back would be busy with nothing but new attempts.
 */
export class Connector {
  readonly #address: DatabaseAddress;
  /** The server on which the last attempt succeeded. */
  #server = 0;
  readonly #waiting: { rank: AttemptRank; begin: () => void }[] = [];
  #attempts = 0;
  #failures = 0;
  /** Runs until the pause after a failed attempt is over. */
  #pause: NodeJS.Timeout | undefined;

  constructor(private readonly options: ConnectorOptions) {
    const address = readDatabaseAddress(options.url);
    if (!address) throw new TypeError('Not the address of a database');
    this.#address = address;
  }

  /** Returns a client with a single connection, which is opened by its first use. */
  #client(server: number, { name = 'hub', onClose = () => {} }: ClientOptions): SQL {
    const { statementTimeoutMs, idleTimeoutMs = IDLE_TIMEOUT_MS } = this.options;
    return new SQL({
      url: this.#address.servers[server]?.href ?? '',
      max: 1,
      connectionTimeout: CONNECT_TIMEOUT_MS / 1_000,
      onclose: onClose,
      connection: {
        application_name: name,
        client_encoding: 'UTF8',
        TimeZone: 'UTC',
        // An accepted post is on the disk of the primary, and of the synchronous standby if there is one.
        synchronous_commit: 'on',
        // Statements are short: compiling one takes a hundred times as long as running it.
        jit: 'off',
        default_transaction_isolation: 'read committed',
        statement_timeout: String(statementTimeoutMs),
        idle_in_transaction_session_timeout: String(idleTimeoutMs),
        // When a node loses its network, its sessions and the lock of the leader end within seconds, not two hours.
        tcp_keepalives_idle: '5',
        tcp_keepalives_interval: '2',
        tcp_keepalives_count: '3',
        tcp_user_timeout: '8000',
      },
    });
  }

  /**
   * Calls `connect` with a new client when it is its turn; resolves with `null` if it is no longer needed then. If the
   * address has several servers, they are tried in turn, from the one that was the primary last.
   */
  async attempt<T>(connect: (client: SQL) => Promise<T>, options: Attempt = {}): Promise<T | null> {
    const { rank = 1, isNeeded = () => true } = options;
    await new Promise<void>((begin) => {
      const next = this.#waiting.findIndex((other) => other.rank > rank);
      this.#waiting.splice(next === -1 ? this.#waiting.length : next, 0, { rank, begin });
      this.#next();
    });
    try {
      if (!isNeeded()) return null;
      const connection = await this.#connect(connect, options);
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

  async #connect<T>(connect: (client: SQL) => Promise<T>, options: Attempt): Promise<T> {
    const { servers, needsPrimary } = this.#address;
    const errors: unknown[] = [];
    for (const start = this.#server; errors.length < servers.length; ) {
      const server = (start + errors.length) % servers.length;
      const client = this.#client(server, options);
      try {
        if (needsPrimary && !options.isListening) await requirePrimary(client);
        const connection = await connect(client);
        this.#server = server;
        return connection;
      } catch (error) {
        client.close({ timeout: 0 }).catch(() => {});
        errors.push(error);
      }
    }
    // Why there is no connection to the primary says more than that another server is a standby.
    throw errors.find((error) => !(error instanceof StandbyError)) ?? errors[0];
  }

  #next(): void {
    while (!this.#pause && this.#attempts < MAX_ATTEMPTS) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#attempts += 1;
      next.begin();
    }
  }

  /** Between half of the pause and one and a half, so that nodes which failed together do not come back together. */
  #pauseMs(): number {
    const spread = Number(Bun.hash(`${this.options.seed} ${this.#failures}`) % 1_000n) / 1_000;
    return Math.min(PAUSE_MS.first * 2 ** (this.#failures - 1), PAUSE_MS.max) * (0.5 + spread);
  }
}
