import type { EventFrame, FollowEnd, Following, Live, Position } from '@hub/client/live';
import type { Hub, WireKind } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { itemsBehind } from './earlier-items.ts';
import { BEFORE_ALL, cursorBefore } from './item-cursor.ts';
import type { ListedItems } from './listed-items.ts';
import { NewHubs } from './new-hubs.ts';
import type { NamedHub, Printer } from './printer.ts';

/** Where following a Hub begins. */
export interface Start {
  after: number;
  epoch?: string | undefined;
  /** The place in its lists behind which everything is new. */
  cursor: string;
}

interface FollowedHubsOptions {
  cli: Cli;
  printer: Printer;
  listed: ListedItems;
  kinds: ReadonlySet<WireKind> | undefined;
  /** Whether Hubs that appear later are followed, too. */
  isAll: boolean;
  /** Ends the command with this error. */
  fail: (error: unknown) => void;
}

interface Place extends NamedHub {
  cursor: string;
  following: Following | undefined;
  /** Where it was left, for a Hub that may come back. */
  position: Position | undefined;
  isLive: boolean;
}

/** Events of one Hub that may wait for a slow reader; the rest waits on the server. */
const QUEUE_LIMIT = 100;

/** The Hubs that are followed, each from where it stands, and printed one after the other. */
export class FollowedHubs {
  readonly #options: FollowedHubsOptions;
  readonly #places = new Map<string, Place>();
  readonly #newHubs: NewHubs;
  #live: Live | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: FollowedHubsOptions) {
    this.#options = options;
    this.#newHubs = new NewHubs(options.cli);
  }

  begin(live: Live, hubs: readonly NamedHub[], starts: ReadonlyMap<string, Start>): void {
    this.#live = live;
    for (const hub of hubs) {
      const start = starts.get(hub.id);
      if (start) this.#follow(hub, start);
    }
  }

  /** What comes from now on may have happened while there was no connection. */
  disconnected(): void {
    for (const place of this.#places.values()) place.isLive = false;
    this.#newHubs.lostSight();
  }

  /** Told which Hubs can be followed now. */
  appeared(hubs: readonly Hub[]): void {
    for (const hub of hubs) {
      const known = this.#places.get(hub.id);
      if (known?.following || (!known && !this.#options.isAll)) continue;
      this.#begin(hub, known);
    }
    this.#newHubs.looked();
  }

  /** Of a Hub that somebody joins, what was there before is no news. */
  #begin(hub: Hub, known: Place | undefined): void {
    const { output, deps } = this.#options.cli;
    const { position } = known ?? {};
    if (known && position) {
      output.quiet(`Following ${hub.name} again.`);
      this.#follow(hub, { after: position.seq, epoch: position.epoch, cursor: known.cursor });
    } else if (this.#newHubs.has(hub)) {
      output.quiet(`Following ${hub.name}, a new Hub, from its beginning.`);
      this.#follow(hub, { after: 0, cursor: BEFORE_ALL });
    } else {
      output.quiet(`Following ${hub.name} from now on.`);
      this.#follow(hub, { after: hub.seq, cursor: cursorBefore(deps.clock.now()) });
    }
  }

  #follow({ id, name }: NamedHub, { after, epoch, cursor }: Start): void {
    if (this.#live === undefined || this.#live.state.status === 'ended') return;
    const place: Place = { id, name, cursor, following: undefined, position: undefined, isLive: false };
    this.#places.set(id, place);
    place.following = this.#live.follow(id, {
      after,
      epoch,
      queueLimit: QUEUE_LIMIT,
      onEvent: (event) => this.#inTurn(() => this.#event(place, event)),
      onReset: (position) => this.#inTurn(() => this.#reset(place, position)),
      onCaughtUp: () => {
        place.isLive = true;
      },
      onEnd: (end) => this.#inTurn(() => this.#ended(place, end)),
    });
  }

  /** One thing at a time, whichever Hub it is of. */
  #inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(task);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #event(place: Place, event: EventFrame): Promise<void> {
    const { printer, listed } = this.#options;
    const madeId = event.event.endsWith('.created') && 'id' in event.data ? event.data.id : undefined;
    const isListed = madeId !== undefined && listed.has(madeId);
    if (!isListed && this.#isWanted(event)) await printer.event(place, event, place.isLive);
    if (event.event === 'hub.changed') place.name = event.data.name;
    if (madeId !== undefined) place.cursor = madeId;
  }

  #isWanted({ event }: EventFrame): boolean {
    const { kinds } = this.#options;
    return kinds === undefined || [...kinds].some((kind) => event.startsWith(`${kind}.`));
  }

  /** What is new in the lists. If they cannot be read, it is tried again, and goes on where it stopped. */
  async #reset(place: Place, position: Position): Promise<void> {
    const { cli, printer, listed, kinds } = this.#options;
    await printer.reset(place, position);
    try {
      const span = await itemsBehind(cli.api, { hubIds: [place.id], kinds }, place.cursor);
      for await (const item of span.items) {
        await printer.item(place, item);
        listed.add(item);
        place.cursor = item.id;
      }
      const seq = span.seqs.get(place.id);
      if (seq !== undefined && span.epoch !== undefined) place.following?.setPosition(seq, span.epoch);
    } catch (error) {
      // Whoever may not read it any more hears so by itself.
      if (!(error instanceof CliError) || (error.code !== 'not_found' && error.code !== 'forbidden')) throw error;
    }
  }

  async #ended(place: Place, end: FollowEnd): Promise<void> {
    place.position = place.following?.position ?? place.position;
    place.following = undefined;
    // The end of the connection is told once, and not for each Hub.
    if (end.code === 'unauthenticated') return;
    const { isAll, printer, fail } = this.#options;
    await printer.ended(place, end);
    if (isAll || [...this.#places.values()].some(({ following }) => following !== undefined)) return;
    const isDenied = end.code === 'not_member' || end.code === 'forbidden';
    fail(new CliError(end.code, isDenied ? EXIT.notAllowed : EXIT.failed, 'There is no Hub left to follow.'));
  }
}
