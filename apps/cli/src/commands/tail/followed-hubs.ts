import type { EventFrame, FollowEnd, Following, Live, Position } from '@hub/client/live';
import type { Hub, WireKind } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, EXIT } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/network.ts';
import { BEFORE_ALL, cursorBefore, itemsAfter, type ListedItems, type Start } from './earlier.ts';
import type { NamedHub } from './item-lines.ts';
import type { Printer } from './printers.ts';

interface FollowedHubsOptions {
  cli: Cli;
  printer: Printer;
  listed: ListedItems;
  kinds: ReadonlySet<WireKind> | undefined;
  /** Whether to also follow new Hubs. */
  isAll: boolean;
  /** Ends the command with this error. */
  fail: (error: unknown) => void;
}

interface FollowedHub extends NamedHub {
  cursor: string;
  following: Following | undefined;
  /** The last position, in case the Hub becomes readable again. */
  position: Position | undefined;
  isLive: boolean;
}

/** The maximum number of events queued for each Hub if the reader is slow. The rest wait on the server. */
const QUEUE_LIMIT = 100;

/** Follows several Hubs, each from its own position, and prints their events one at a time. */
export class FollowedHubs {
  readonly #followed = new Map<string, FollowedHub>();
  readonly #newHubs: NewHubs;
  #live: Live | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: FollowedHubsOptions) {
    this.#newHubs = new NewHubs(options.cli);
  }

  begin(live: Live, hubs: readonly NamedHub[], starts: ReadonlyMap<string, Start>): void {
    this.#live = live;
    for (const hub of hubs) {
      const start = starts.get(hub.id);
      if (start) this.#follow(hub, start);
    }
  }

  /** Treats the next events as ones that may have happened while disconnected. */
  disconnected(): void {
    for (const hub of this.#followed.values()) hub.isLive = false;
    this.#newHubs.disconnected();
  }

  /** Follows Hubs that became readable. */
  appeared(hubs: readonly Hub[]): void {
    for (const hub of hubs) {
      const followed = this.#followed.get(hub.id);
      if (followed?.following || (!followed && !this.options.isAll)) continue;
      this.#begin(hub, followed);
    }
    this.#newHubs.listed();
  }

  /** Follows a new Hub from its first event, but a Hub that the user has just joined only from now on. */
  #begin(hub: Hub, followed: FollowedHub | undefined): void {
    const { output, deps } = this.options.cli;
    const { position } = followed ?? {};
    if (followed && position) {
      output.quiet(`Following ${hub.name} again.`);
      this.#follow(hub, { after: position.seq, epoch: position.epoch, cursor: followed.cursor });
    } else if (this.#newHubs.has(hub)) {
      output.quiet(`Following the new Hub ${hub.name} from its beginning.`);
      this.#follow(hub, { after: 0, cursor: BEFORE_ALL });
    } else {
      output.quiet(`Following ${hub.name} from now on.`);
      this.#follow(hub, { after: hub.seq, cursor: cursorBefore(deps.clock.now()) });
    }
  }

  #follow({ id, name }: NamedHub, { after, epoch, cursor }: Start): void {
    if (this.#live === undefined || this.#live.state.status === 'ended') return;
    const followed: FollowedHub = { id, name, cursor, following: undefined, position: undefined, isLive: false };
    this.#followed.set(id, followed);
    followed.following = this.#live.follow(id, {
      after,
      epoch,
      queueLimit: QUEUE_LIMIT,
      onEvent: (event) => this.#inTurn(() => this.#event(followed, event)),
      onReset: (position) => this.#inTurn(() => this.#reset(followed, position)),
      onCaughtUp: () => {
        followed.isLive = true;
      },
      onEnd: (end) => this.#inTurn(() => this.#ended(followed, end)),
    });
  }

  /** Runs tasks one at a time across all Hubs. */
  #inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(task);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #event(hub: FollowedHub, event: EventFrame): Promise<void> {
    const { printer, listed } = this.options;
    const createdId = event.event.endsWith('.created') && 'id' in event.data ? event.data.id : undefined;
    const isListed = createdId !== undefined && listed.has(createdId);
    if (!isListed && this.#isWanted(event)) await printer.event(hub, event, hub.isLive);
    if (event.event === 'hub.changed') hub.name = event.data.name;
    if (createdId !== undefined) hub.cursor = createdId;
  }

  #isWanted({ event }: EventFrame): boolean {
    const { kinds } = this.options;
    return kinds === undefined || [...kinds].some((kind) => event.startsWith(`${kind}.`));
  }

  /** Prints new items from the lists. A retry continues where the failed attempt stopped. */
  async #reset(hub: FollowedHub, position: Position): Promise<void> {
    const { cli, printer, listed, kinds } = this.options;
    await printer.reset(hub, position);
    try {
      const span = await itemsAfter(cli.api, { hubIds: [hub.id], kinds }, hub.cursor);
      for await (const item of span.items) {
        await printer.item(hub, item);
        listed.add(item);
        hub.cursor = item.id;
      }
      const seq = span.seqs.get(hub.id);
      if (seq !== undefined && span.epoch !== undefined) hub.following?.setPosition(seq, span.epoch);
    } catch (error) {
      // If the Hub is no longer readable, `onEnd` reports it.
      if (!(error instanceof CliError) || (error.code !== 'not_found' && error.code !== 'forbidden')) throw error;
    }
  }

  async #ended(hub: FollowedHub, end: FollowEnd): Promise<void> {
    hub.position = hub.following?.position ?? hub.position;
    hub.following = undefined;
    // The end of the connection is reported once, not for each Hub.
    if (end.code === 'unauthenticated') return;
    const { isAll, printer, fail } = this.options;
    await printer.ended(hub, end);
    if (isAll || [...this.#followed.values()].some(({ following }) => following !== undefined)) return;
    fail(new CliError(end.code, 'No Hubs left to follow.'));
  }
}

/** While connected, a Hub created within this time counts as new. This leaves time to add members to it. */
const RECENT_MS = 60_000;
/** The tolerated clock difference to another machine. */
const CLOCK_SKEW_MS = 5_000;

/**
 * Distinguishes a newly created Hub, which is shown from its beginning, from an existing Hub that the user just joined:
 * a new one was created after the command started, and recently or while disconnected.
 */
export class NewHubs {
  /** The time since which Hubs may have been created unnoticed. */
  #unseenSince: number;
  #isAway = false;

  constructor(private readonly cli: Cli) {
    const { connection } = cli;
    const isHere = connection.kind === 'socket' || isLoopback(new URL(connection.url).hostname);
    this.#unseenSince = this.#now - (isHere ? 0 : CLOCK_SKEW_MS);
  }

  has({ createdAt }: Pick<Hub, 'createdAt'>): boolean {
    return Date.parse(createdAt) >= (this.#isAway ? this.#unseenSince : this.#recentSince);
  }

  disconnected(): void {
    if (this.#isAway) return;
    this.#unseenSince = this.#recentSince;
    this.#isAway = true;
  }

  listed(): void {
    this.#unseenSince = this.#recentSince;
    this.#isAway = false;
  }

  get #recentSince(): number {
    return Math.max(this.#unseenSince, this.#now - RECENT_MS);
  }

  get #now(): number {
    return this.cli.deps.clock.now();
  }
}

const RETRY_MS = 5_000;

/** Lists the Hubs that you can read. A logged-in admin can list more Hubs, but can read only those they belong to. */
export function readableHubs(cli: Cli): Promise<Hub[]> {
  return cli.api.all('GET /hubs', {
    query: cli.connection.kind === 'socket' ? { state: 'live' } : { membership: 'mine' },
  });
}

/** Lists the Hubs whenever they may have changed, and once more if they may have changed while being listed. */
export class HubWatch {
  #isListing = false;
  #isOutdated = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly cli: Cli,
    private readonly onHubs: (hubs: Hub[]) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

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
        const hubs = await readableHubs(this.cli);
        if (!this.#isStopped) this.onHubs(hubs);
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
    } else this.fail(error);
  }
}
