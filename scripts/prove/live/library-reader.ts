import { connect, createServer, type Socket } from 'node:net';
import { connectLive, type Following, type Live } from '@hub/client/live';
import type { EventFrame } from '@hub/contract';
import { isItem, type Random, slim } from '@hub/testkit';
import { HubView, type Records } from './hub-view.ts';
import type { Reader, ReaderOptions } from './plain-reader.ts';

interface LibraryOptions extends ReaderOptions {
  /** Cuts a connection of one of these readers; they all use a proxy. */
  readonly cutOne: () => void;
  /** Starts with an unknown epoch, so that the first reply is `reset`. */
  readonly beginsForeign: boolean;
}

/** A reader that uses the live library and its own code for applying events. */
export class LibraryReader implements Reader {
  readonly name: string;
  readonly views: readonly HubView[];
  readonly #options: LibraryOptions;
  #live: Live;
  #following: Following[] = [];

  constructor(options: LibraryOptions) {
    this.name = options.name;
    this.#options = options;
    this.views = options.hubIds.map((hubId) => new HubView(hubId, options.records, { usesLibrary: true }));
    this.#live = this.#start();
  }

  get isFollowing(): boolean {
    return this.#live.state.status === 'live' && this.#following.every(({ position }) => position !== undefined);
  }

  cut(): void {
    this.#options.cutOne();
  }

  /** Resumes like a restarted program that has stored its position. */
  restart(): void {
    // Data loaded in the meantime would belong to the previous program.
    if (this.views.some(({ isLoading }) => isLoading)) return;
    this.#live.close();
    this.#live = this.#start();
  }

  wake(): void {
    this.#live.wake();
  }

  stop(): void {
    this.#live.close();
  }

  #start(): Live {
    const { port, token, records } = this.#options;
    const live = connectLive({
      baseUrl: `http://127.0.0.1:${port()}`,
      token,
      onState: ({ status }) => {
        if (status === 'live') records.sums.connections += 1;
      },
      onError: (error) => this.#surprise(String(error)),
    });
    this.#following = this.views.map((view) => this.#follow(live, view));
    return live;
  }

  #follow(live: Live, view: HubView): Following {
    const { load, records, latencies, beginsForeign } = this.#options;
    const isReset = view.epoch === undefined && beginsForeign;
    const epoch = isReset ? 'epo_of_another_time' : view.epoch;
    const following = live.follow(view.hubId, {
      after: view.position,
      epoch,
      onEvent: (notified) => {
        const event = notified as EventFrame;
        view.epoch ??= following.position?.epoch;
        view.take(isItem(event.data) ? ({ ...event, data: slim(event.data) } as EventFrame) : event);
        latencies.arrived(event);
      },
      onReset: async ({ seq }) => {
        records.sums.resets += 1;
        if (!isReset) this.#surprise(`reset came to ${seq}, and nothing was wrong`);
        view.reset(seq);
        const loaded = await load(view.hubId);
        view.loaded(loaded, 'list');
        following.setPosition(loaded.seq, loaded.epoch);
      },
      onEnd: ({ message }) => this.#surprise(`it is followed no more: ${message}`),
    });
    return following;
  }

  #surprise(what: string): void {
    this.#options.records.surprise(`${this.name}: ${what}`);
  }
}

/** A cut happens within this many bytes from the server (about four events). */
const CUT_WITHIN_BYTES = 3_000;

/**
 * Starts a proxy for `target`. To cut a connection, the proxy forwards a few more bytes from the server and then closes
 * it.
 */
export async function startCuttingProxy(target: () => number, random: Random, records: Records) {
  const bytesLeft = new Map<Socket, number>();
  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1');
    bytesLeft.set(near, Number.POSITIVE_INFINITY);
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      const left = bytesLeft.get(near) ?? 0;
      bytesLeft.set(near, left - chunk.length);
      if (left > chunk.length) {
        if (!near.write(chunk)) far.pause();
        return;
      }
      records.sums.cuts += 1;
      // The cut need not be in the middle of a frame, but almost every random position is.
      far.destroy();
      near.write(chunk.subarray(0, left), () => near.destroy());
    });
    near.on('drain', () => far.resume());
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        bytesLeft.delete(near);
        other.destroySoon();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    /** Cuts a random connection. */
    cut: (): void => {
      const open = [...bytesLeft.keys()];
      const near = open[Math.floor(random() * open.length)];
      if (near) bytesLeft.set(near, Math.floor(random() * CUT_WITHIN_BYTES));
    },
  };
}
