import type { EventFrame, FollowEnd, Position } from '@hub/client/live';
import type { Item } from '@hub/contract';

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
