import { type HubNotification, WORKSPACE_TOPICS } from '@hub/contract';
import type { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import type { Clock, Log } from '../../../platform/ports.ts';
import type { CommitReport } from '../../commit-report.ts';
import { given, rawQuery } from '../../engine/query.ts';
import { rawWrite } from '../../engine/write.ts';
import type { Connection, ReadConnection } from '../engine/connection.ts';

const CHANNEL = 'hub_commits';
/** How often each node looks for changes of rights, in case a notification was lost. */
const LOOK_MS = 500;
/** A node that has not reached the database for this long closes its live connections. */
const AWAY_MS = 2_000;
/** The limit of PostgreSQL is 8,000. */
const MAX_PAYLOAD_BYTES = 7_900;

/** The part of a commit report that other nodes get. They read the events themselves. */
interface Announcement
  extends Pick<CommitReport, 'isRightsChanged' | 'isHubsChanged' | 'workspaceChanges' | 'unreadChanges'> {
  node: string;
  /** The number of changes to rights so far, filled in by the database. */
  version: number;
  heads: (readonly [hubId: string, seq: number])[];
  /** If there is one, there is nothing else. */
  message?: NodeMessage;
}

/** A message of one node to all others, about notifications. */
export interface NodeMessage {
  attended?: string;
  notification?: { userId: string; content: HubNotification };
}

const NOTHING: Omit<Announcement, 'node'> = {
  version: 0,
  heads: [],
  isRightsChanged: false,
  isHubsChanged: false,
  workspaceChanges: [],
  unreadChanges: [],
};

const notify = rawWrite(sql`select pg_notify(${CHANNEL}, ${given('payload')})`);
const notifyOfRights = rawWrite(
  sql`with state as (
      insert into node_state (id, rights_version) values (1, 1)
        on conflict (id) do update set rights_version = node_state.rights_version + 1 returning rights_version)
    select pg_notify(${CHANNEL}, replace(${given('payload')}, '"version":0', '"version":' || rights_version))
      from state`,
);
const readVersion = rawQuery(sql`select rights_version from node_state`, ([version]: readonly [string]) =>
  Number(version),
);

interface NodeChannelOptions {
  nodeId: string;
  listener: SQL;
  on: ReadConnection;
  clock: Clock;
  log: Log;
  onCommit: (report: CommitReport) => void;
  onMessage: (message: NodeMessage) => void;
  onAway: () => void;
}

/**
 * Tells the other nodes about commits, and this one about theirs, with LISTEN and NOTIFY. A lost notification only
 * delays: feeds read all events after the last published one, and `#watch` compares the number of changes to rights.
 *
 * Changes to rights are announced by their own transaction. New events are announced right after the commit, many at a
 * time: a transaction that notifies holds a lock during its flush, so posts would wait for each other.
 */
export class NodeChannel {
  readonly #options: NodeChannelOptions;
  readonly #heads = new Map<string, number>();
  #isSending = false;
  #isStopped = false;
  #version = 0;
  #reachedAt: number;
  isAway = false;

  constructor(options: NodeChannelOptions) {
    this.#options = options;
    this.#reachedAt = options.clock.monotonic();
  }

  /** Resolves once this node hears of the commits of others. */
  async start(): Promise<void> {
    const { listener, on } = this.#options;
    this.#version = (await on.first(readVersion)) ?? 0;
    await listener.listen(
      CHANNEL,
      (payload) => this.#received(payload),
      () => this.#checkAll(),
    );
    void this.#watch();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#options.listener.close({ timeout: 1 });
  }

  /** Sends a message that may be lost. */
  async send(message: NodeMessage): Promise<void> {
    const { on, nodeId } = this.#options;
    await on.run(notify, { payload: JSON.stringify({ ...NOTHING, message, node: nodeId }) });
  }

  /** Called at the end of each transaction of this node, before its commit. */
  async committing(on: Connection, { heads: _, posts: __, ...report }: CommitReport): Promise<void> {
    const { isRightsChanged, workspaceChanges, unreadChanges } = report;
    if (!isRightsChanged && workspaceChanges.length === 0 && unreadChanges.length === 0) return;
    const payload = this.#payload(report);
    await on.run(isRightsChanged ? notifyOfRights : notify, { payload });
  }

  /** Called after each commit of this node. */
  committed({ heads }: CommitReport): void {
    for (const [hubId, seq] of heads) this.#heads.set(hubId, Math.max(seq, this.#heads.get(hubId) ?? 0));
    if (this.#heads.size > 0 && !this.#isSending) void this.#sendHeads();
  }

  async #sendHeads(): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#heads.size > 0 && !this.#isStopped) {
        const heads = [...this.#heads].slice(0, 100);
        for (const [hubId] of heads) this.#heads.delete(hubId);
        await this.#options.on.run(notify, { payload: this.#payload({ heads }) });
      }
    } catch (err) {
      // The other nodes look for events themselves.
      this.#options.log.warn({ err }, 'Failed to announce new events to the other nodes');
    } finally {
      this.#isSending = false;
    }
  }

  #payload(changes: Partial<Announcement>): string {
    const announcement: Announcement = { ...NOTHING, ...changes, node: this.#options.nodeId };
    const text = JSON.stringify(announcement);
    if (Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES) return text;
    const { isRightsChanged, isHubsChanged } = announcement;
    return JSON.stringify({
      ...NOTHING,
      node: this.#options.nodeId,
      isRightsChanged,
      isHubsChanged,
      workspaceChanges: allTopics(),
    });
  }

  #received(payload: string): void {
    const { node, version, heads, message, ...report } = JSON.parse(payload) as Announcement;
    const isNew = version > this.#version;
    this.#version = Math.max(version, this.#version);
    if (node === this.#options.nodeId) return;
    if (message) {
      this.#options.onMessage(message);
      return;
    }
    this.#options.onCommit({
      ...report,
      // Rights that `#watch` has already noticed need no second check.
      isRightsChanged: report.isRightsChanged && isNew,
      isHubsChanged: report.isHubsChanged && isNew,
      heads: new Map(heads),
      posts: [],
    });
  }

  /** Treats everything as changed, since notifications may have been lost. */
  #checkAll(): void {
    const all = { isRightsChanged: true, isHubsChanged: true, workspaceChanges: allTopics(), unreadChanges: [] };
    this.#options.onCommit({ ...all, heads: new Map(), posts: [] });
  }

  async #watch(): Promise<void> {
    const { on, clock, log, onAway } = this.#options;
    while (!this.#isStopped) {
      await clock.sleep(LOOK_MS);
      try {
        const version = (await on.first(readVersion)) ?? 0;
        this.#reachedAt = clock.monotonic();
        if (this.isAway) log.info({}, 'The database is back');
        this.isAway = false;
        if (version <= this.#version) continue;
        this.#version = version;
        this.#checkAll();
      } catch (err) {
        if (this.isAway || this.#isStopped || clock.monotonic() - this.#reachedAt < AWAY_MS) continue;
        this.isAway = true;
        log.error({ err }, 'The database is out of reach');
        onAway();
      }
    }
  }
}

function allTopics(): CommitReport['workspaceChanges'] {
  return WORKSPACE_TOPICS.map((topic) => ({ topic, hubId: null }));
}
