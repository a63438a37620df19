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

export type Leadership = ReturnType<typeof leadershipOn>;

/**
 * A lock that one node holds for as long as `on`, its only connection, lives; then another takes over within a second.
 * Asking again on the same connection confirms that it is still held.
 */
export function leadershipOn(on: ReadConnection, { clock, log }: { clock: Clock; log: Log }) {
  let isStopped = false;
  let work: LeaderWork | undefined;
  /** The process of the server that serves the connection with the lock; `null`: this node does not lead. */
  let session: number | null = null;

  const end = (): void => {
    if (session === null) return;
    session = null;
    work?.stopLeading();
  };
  const tick = async (): Promise<void> => {
    try {
      const current = (await on.first(acquire)) ?? null;
      if (isStopped) return;
      // On a new connection, another node may have led in the meantime.
      if (current !== session) end();
      if (current === null) return;
      const isNew = session === null;
      session = current;
      await (isNew ? work?.startLeading() : work?.tick());
    } catch (err) {
      if (session !== null) log.warn({ err }, 'This node can no longer lead');
      end();
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      await clock.sleep(BEAT_MS);
      if (!isStopped) await tick();
    }
  };

  return {
    on,
    session: () => session,
    lead: (leaderWork: LeaderWork): void => {
      work = leaderWork;
    },
    start: async (): Promise<void> => {
      await tick();
      void run();
    },
    stop: async (): Promise<void> => {
      isStopped = true;
      end();
      await on.pool.close();
    },
  };
}
