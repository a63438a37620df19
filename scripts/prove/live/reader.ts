import type { HubView, Loaded } from './hub-view.ts';
import type { Latencies } from './latencies.ts';
import type { Random } from './random.ts';
import type { Records } from './records.ts';

/** A reader that follows Hubs the whole time, over any number of connections. */
export interface Reader {
  readonly name: string;
  readonly views: readonly HubView[];
  /** Whether it is connected, and every Hub is followed up to the newest event that it received. */
  readonly isFollowing: boolean;
  /** Loses the connection, at a moment of chance: mostly in the middle of a frame. */
  cut(): void;
  stop(): void;
}

export interface ReaderOptions {
  readonly name: string;
  readonly token: string;
  readonly hubIds: readonly string[];
  /** Where it connects to now. */
  readonly port: () => number;
  readonly random: Random;
  readonly records: Records;
  readonly latencies: Latencies;
  /** Reloads a Hub through the lists. */
  readonly load: (hubId: string) => Promise<Loaded>;
}
