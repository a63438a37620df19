import {
  connectLive,
  type EventFrame,
  type FollowEnd,
  type Following,
  type Live,
  type LiveState,
  type Position,
} from '@hub/client/live';
import type { Hub } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { expiredTokenHint } from '../../runtime/connection.ts';
import { CliError, EXIT } from '../../runtime/errors.ts';
import { liveOptions, reportingState } from '../../runtime/live.ts';
import { errorOf, UNWRITABLE, unwritable } from '../../runtime/output.ts';
import { hubFor } from '../../runtime/resolve.ts';
import { isNewer, readEarlier, type TailOptions } from './earlier.ts';
import type { NamedHub } from './item-lines.ts';
import { jsonPrinter, type Printer, TextPrinter } from './printers.ts';

/** Follows Hubs until the user stops it. */
export async function tail(cli: Cli, references: readonly string[], options: TailOptions): Promise<void> {
  const isAll = references.length === 0;
  // Fail early, since it may take a while until there is something to write.
  const problem = errorOf(cli.deps.stdout);
  if (problem !== undefined) throw unwritable(problem);
  let [stop, fail] = [() => {}, (_: unknown) => {}];
  const stopped = new Promise<void>((resolve, reject) => {
    [stop, fail] = [resolve, reject];
  });
  const stopListening = cli.deps.onStop(() => stop());
  const run = new Tail(cli, options, isAll, (error) => fail(error));
  try {
    const named = [];
    for (const reference of references) named.push(await hubFor(cli, reference));
    const hubs = isAll ? await readableHubs(cli) : named;
    await Promise.race([stopped, run.begin(hubs).then(() => stopped)]);
  } finally {
    stopListening();
    run.end();
  }
}

/** Lists the Hubs that you can read. A logged-in admin can list more Hubs, but can read only those they belong to. */
function readableHubs(cli: Cli): Promise<Hub[]> {
  return cli.api.all('GET /hubs', {
    query: cli.connection.kind === 'socket' ? { state: 'live' } : { membership: 'mine' },
  });
}

interface FollowedHub extends NamedHub {
  following: Following | undefined;
  /** The last position, in case the Hub becomes readable again. */
  position: Position | undefined;
  isLive: boolean;
  /** The newest item that was shown. After a reset, only newer ones are. */
  newestId: string;
}

/** The maximum number of events queued for each Hub if the reader is slow. The rest wait on the server. */
const QUEUE_LIMIT = 100;
const RETRY_MS = 5_000;
/** The tolerated clock difference to another machine. */
const CLOCK_SKEW_MS = 5_000;

/** Shows earlier items, then follows Hubs, each from its own position, and prints their events one at a time. */
class Tail {
  readonly #followed = new Map<string, FollowedHub>();
  readonly #printer: Printer;
  readonly #begunAtMs: number;
  readonly #reportState: (state: LiveState) => void;
  #live: Live | undefined;
  #hasEnded = false;
  #turn: Promise<unknown> = Promise.resolve();
  #listing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly cli: Cli,
    private readonly options: TailOptions,
    private readonly isAll: boolean,
    /** Ends the command with this error. */
    private readonly fail: (error: unknown) => void,
  ) {
    this.#begunAtMs = cli.deps.clock.now() - CLOCK_SKEW_MS;
    this.#printer = cli.json ? jsonPrinter(cli) : new TextPrinter(cli);
    this.#reportState = reportingState(cli);
  }

  async begin(hubs: readonly Hub[]): Promise<void> {
    const { cli, options, isAll } = this;
    if (isAll && hubs.length === 0) cli.output.quiet('No Hubs that you can read yet. Waiting for one…');
    else if (cli.deps.stdout.isTTY && !cli.json) cli.output.quiet(greeting(isAll ? undefined : hubs));
    const { since, limit, kinds } = options;
    const named = new Map(hubs.map((hub) => [hub.id, hub]));
    const starts = new Map<string, { after: number; epoch?: string | undefined; newestId: string }>();
    if (since && 'seq' in since) for (const { id } of hubs) starts.set(id, { after: since.seq, newestId: '' });
    else {
      const isWanted = ({ createdAt }: { createdAt: string }) => Date.parse(createdAt) >= (since?.at ?? 0);
      const hubIds = isAll ? undefined : [...named.keys()];
      const { items, seqs, epoch } = await readEarlier(cli.api, { hubIds, kinds, limit, isWanted });
      this.#printer.hasSeveralHubs = isAll || named.size > 1;
      for (const item of items) {
        const hub = named.get(item.hubId);
        if (hub && !this.#hasEnded) await this.#printer.item(hub, item);
      }
      const newestId = items.at(-1)?.id ?? '';
      for (const [id, after] of Object.entries(seqs)) starts.set(id, { after, epoch, newestId });
    }
    if (this.#hasEnded) return;
    this.#live = connectLive({
      ...liveOptions(cli),
      onState: (state) => this.#entered(state),
      onHubsChanged: () => this.#list(),
      onError: (error) => this.#handleError(error),
    });
    for (const hub of named.values()) {
      const start = starts.get(hub.id);
      if (start) this.#follow(hub, start);
    }
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#live?.close();
  }

  #entered(state: LiveState): void {
    this.#reportState(state);
    if (state.status === 'waiting') for (const hub of this.#followed.values()) hub.isLive = false;
    if (state.status !== 'ended' || state.reason !== 'unauthenticated') return;
    const { connection } = this.cli;
    const hint = connection.kind === 'profile' ? expiredTokenHint(connection) : undefined;
    this.fail(new CliError('unauthenticated', state.message, { hint }));
  }

  /** Reports temporary errors, which the library retries. Other errors end the command. */
  #handleError(error: unknown): void {
    const isTemporary = error instanceof CliError && error.exitCode !== EXIT.notAllowed && error.code !== UNWRITABLE;
    if (!isTemporary) this.fail(error);
    else if (this.#live?.state.status === 'live') this.cli.output.quiet(`${error.message} Retrying…`);
  }

  /** Lists the Hubs after they may have changed, and follows those that became readable. */
  #list(): void {
    clearTimeout(this.#timer);
    const waiting = this.#listing ?? Promise.resolve();
    const listing: Promise<void> = waiting.then(async () => {
      // Another change came meanwhile, and will be listed.
      if (this.#listing !== listing || this.#hasEnded) return;
      try {
        for (const hub of await readableHubs(this.cli)) this.#appeared(hub);
      } catch (error) {
        const isTemporary = error instanceof CliError && error.exitCode !== EXIT.notAllowed;
        if (!isTemporary) this.fail(error);
        else if (!this.#hasEnded) this.#timer = setTimeout(() => this.#list(), RETRY_MS);
      }
    });
    this.#listing = listing;
  }

  /** Follows a new Hub from its first event, but a Hub that the user has just joined only from now on. */
  #appeared(hub: Hub): void {
    const { output } = this.cli;
    const followed = this.#followed.get(hub.id);
    if (followed?.following || (!followed && !this.isAll)) return;
    if (followed?.position) {
      output.quiet(`Following ${hub.name} again.`);
      const { seq: after, epoch } = followed.position;
      this.#follow(hub, { after, epoch, newestId: followed.newestId });
    } else if (Date.parse(hub.createdAt) >= this.#begunAtMs) {
      output.quiet(`Following the new Hub ${hub.name} from its beginning.`);
      this.#follow(hub, { after: 0, newestId: '' });
    } else {
      output.quiet(`Following ${hub.name} from now on.`);
      this.#follow(hub, { after: hub.seq, newestId: '' });
    }
  }

  #follow({ id, name }: NamedHub, start: { after: number; epoch?: string | undefined; newestId: string }): void {
    if (!this.#live || this.#live.state.status === 'ended') return;
    const { newestId, ...from } = start;
    const hub: FollowedHub = { id, name, newestId, following: undefined, position: undefined, isLive: false };
    this.#followed.set(id, hub);
    hub.following = this.#live.follow(id, {
      ...from,
      queueLimit: QUEUE_LIMIT,
      onEvent: (event) => this.#inTurn(() => this.#event(hub, event)),
      onReset: (position) => this.#inTurn(() => this.#reset(hub, position)),
      onCaughtUp: () => {
        hub.isLive = true;
      },
      onEnd: (end) => this.#inTurn(() => this.#ended(hub, end)),
    });
  }

  /** Runs tasks one at a time across all Hubs. */
  #inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(task);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #event(hub: FollowedHub, event: EventFrame): Promise<void> {
    const { kinds } = this.options;
    const isWanted = kinds === undefined || [...kinds].some((kind) => event.event.startsWith(`${kind}.`));
    if (isWanted) await this.#printer.event(hub, event, hub.isLive);
    if (event.event === 'hub.changed') hub.name = event.data.name;
    if (event.event.endsWith('.created') && 'id' in event.data) hub.newestId = event.data.id;
  }

  /** Prints new items from the list. A retry continues where the failed attempt stopped. */
  async #reset(hub: FollowedHub, position: Position): Promise<void> {
    await this.#printer.reset(hub, position);
    const isWanted = ({ id }: { id: string }) => isNewer(id, hub.newestId);
    const list = { hubIds: [hub.id], kinds: this.options.kinds, limit: Infinity, isWanted };
    try {
      const { items, seqs, epoch } = await readEarlier(this.cli.api, list);
      for (const item of items) {
        await this.#printer.item(hub, item);
        hub.newestId = item.id;
      }
      const seq = seqs[hub.id];
      if (seq !== undefined && epoch !== undefined) hub.following?.setPosition(seq, epoch);
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
    await this.#printer.ended(hub, end);
    if (this.isAll || [...this.#followed.values()].some(({ following }) => following !== undefined)) return;
    this.fail(new CliError(end.code, 'No Hubs left to follow.'));
  }
}

/** Shows that the command is running, even if the Hubs are empty. */
function greeting(hubs: readonly Hub[] | undefined): string {
  const names = hubs?.map(({ name }) => name).join(', ') ?? 'all Hubs that you can read';
  return `Following ${names}. Press Ctrl-C to stop.`;
}
