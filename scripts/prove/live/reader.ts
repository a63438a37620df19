import type { Random } from '@hub/testkit';
import type { HubView, Loaded } from './hub-view.ts';
import type { Latencies } from './latencies.ts';
import type { Records } from './records.ts';

/** A reader that follows Hubs for the whole run, over any number of connections. */
export interface Reader {
  readonly name: string;
  readonly views: readonly HubView[];
  /** Whether it is connected and following every Hub, with no list still loading. */
  readonly isFollowing: boolean;
  /** Cuts the connection at a random moment, usually in the middle of a frame. */
  cut(): void;
  stop(): void;
}

export interface ReaderOptions {
  readonly name: string;
  readonly token: string;
  readonly hubIds: readonly string[];
  /** Returns the current port of the server. */
  readonly port: () => number;
  readonly random: Random;
  readonly records: Records;
  readonly latencies: Latencies;
  /** Reloads a Hub through the lists. */
  readonly load: (hubId: string) => Promise<Loaded>;
}
