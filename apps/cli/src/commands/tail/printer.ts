import type { EventFrame, FollowEnd, Position } from '@hub/client/live';
import type { Item } from '@hub/contract';

/** A Hub, as it is called now. */
export interface NamedHub {
  readonly id: string;
  name: string;
}

/**
 * What `tail` prints, for people or for programs. Each call is over when what it has written has left, so that whoever
 * reads slowly is waited for; nothing else is printed meanwhile.
 */
export interface Printer {
  /** What was there before, from a list. */
  item(hub: NamedHub, item: Item): Promise<void>;
  /** Known, but not to be shown: what is told of it later is compared with this. */
  remember(items: readonly Item[]): void;
  /** `isLive`: it happens now, and is not told later. */
  event(hub: NamedHub, event: EventFrame, isLive: boolean): Promise<void>;
  /** What has happened cannot be told one by one; items follow that are new. */
  reset(hub: NamedHub, position: Position): Promise<void>;
  /** A Hub is followed no more. */
  ended(hub: NamedHub, end: FollowEnd): Promise<void>;
}
