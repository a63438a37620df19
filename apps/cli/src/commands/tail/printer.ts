import type { EventFrame, FollowEnd, Position } from '@hub/client/live';
import type { Item } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { allWritten } from '../../runtime/output.ts';

/** A Hub with its current name. */
export interface NamedHub {
  readonly id: string;
  name: string;
}

/**
 * The output of `tail`, as text or JSON. Each call resolves when its output is written, so that a slow reader slows
 * down the printing. Nothing else is printed until then.
 */
export interface Printer {
  /** Prints an earlier item from a list. */
  item(hub: NamedHub, item: Item): Promise<void>;
  /** Stores items without printing them, to compare later events with them. */
  remember(items: readonly Item[]): void;
  /** Prints an event. `isLive`: it has just happened and is not a replay. */
  event(hub: NamedHub, event: EventFrame, isLive: boolean): Promise<void>;
  /** Reports that events are missing. New items follow. */
  reset(hub: NamedHub, position: Position): Promise<void>;
  /** Reports that a Hub is no longer followed. */
  ended(hub: NamedHub, end: FollowEnd): Promise<void>;
}

/** Prints one JSON document per line: the server's frames unchanged, and earlier items in a similar form. */
export class JsonPrinter implements Printer {
  constructor(private readonly cli: Cli) {}

  item(_: NamedHub, item: Item): Promise<void> {
    return this.#print({ type: 'item', hubId: item.hubId, event: `${item.kind}.created`, data: item });
  }

  remember(): void {}

  event(_: NamedHub, event: EventFrame): Promise<void> {
    return this.#print(event);
  }

  reset({ id }: NamedHub, { seq, epoch }: Position): Promise<void> {
    return this.#print({ type: 'reset', hubId: id, seq, epoch });
  }

  ended({ id }: NamedHub, { code, message }: FollowEnd): Promise<void> {
    return this.#print({ type: 'error', code, message, hubId: id });
  }

  #print(line: object): Promise<void> {
    this.cli.output.jsonLine(line);
    return allWritten(this.cli.deps.stdout);
  }
}
