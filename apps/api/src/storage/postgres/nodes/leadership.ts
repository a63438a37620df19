import { sql } from 'drizzle-orm';
import type { Clock, Log } from '../../../platform/ports.ts';
import { rawQuery } from '../../engine/query.ts';
import type { ReadConnection } from '../engine/connection.ts';

export interface LeaderWork {
  startLeading(): Promise<void>;
  /** Called every second while this node leads. */
  tick(): Promise<void>;
  stopLeading(): void;
}

/** Any number that no other program uses for an advisory lock in this database. */
const LEADER_LOCK = 4_827_002;
const BEAT_MS = 1_000;

const acquire = rawQuery(
  sql`select pg_backend_pid(), pg_try_advisory_lock(${sql.raw(String(LEADER_LOCK))})`,
  ([session, isHeld]: readonly [number, boolean]) => (isHeld ? Number(session) : null),
);

/**
 * A lock that one node holds for as long as its connection lives; then another takes over within a second. Asking again
 * on the same connection confirms that it is still held.
 */
export class Leadership {
  /** The only connection that can hold the lock. */
  readonly on: ReadConnection;
  worker: LeaderWork | undefined;
  readonly #clock: Clock;
  readonly #log: Log;
  #isStopped = false;
  /** The process of the server that serves the connection with the lock; `null`: this node does not lead. */
  #session: number | null = null;

  constructor(on: ReadConnection, { clock, log }: { clock: Clock; log: Log }) {
    this.on = on;
    this.#clock = clock;
    this.#log = log;
  }

  get session(): number | null {
    return this.#session;
  }

  get isHeld(): boolean {
    return this.#session !== null;
  }

  async start(): Promise<void> {
    await this.#tick();
    void this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#end();
    await this.on.client.close({ timeout: 1 });
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#clock.sleep(BEAT_MS);
      if (!this.#isStopped) await this.#tick();
    }
  }

  async #tick(): Promise<void> {
    try {
      const session = (await this.on.first(acquire)) ?? null;
      if (this.#isStopped) return;
      // On a new connection, another node may have led in the meantime.
      if (session !== this.#session) this.#end();
      if (session === null) return;
      const isNew = this.#session === null;
      this.#session = session;
      await (isNew ? this.worker?.startLeading() : this.worker?.tick());
    } catch (err) {
      if (this.isHeld) this.#log.warn({ err }, 'This node can no longer lead');
      this.#end();
    }
  }

  #end(): void {
    if (this.#session === null) return;
    this.#session = null;
    this.worker?.stopLeading();
  }
}
