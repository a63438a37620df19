import type { Deps } from '../deps.ts';
import { authorizeSocket } from './check-socket.ts';
import { CommittedRights } from './committed-rights.ts';
import { frame } from './live-frames.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';

const TURN_MS = 4;

type WatchDeps = Pick<Deps, 'store' | 'clock' | 'log' | 'revocations'>;

interface Watched {
  sockets: ReadonlySet<LiveSocket>;
  /** A connection has lost this Hub. */
  leave: (socket: LiveSocket, lost: Subscription) => void;
}

/** Takes their Hubs, or the connection, from those who have lost the right to them. */
export class RightsWatch {
  readonly #deps: WatchDeps;
  readonly #watched: Watched;
  #version = 0;
  #isJudging = false;
  #isHubsChanged = false;

  constructor(deps: WatchDeps, watched: Watched) {
    this.#deps = deps;
    this.#watched = watched;
  }

  /** Raised by every change of anybody's rights: who has judged by an older version judges again. */
  get version(): number {
    return this.#version;
  }

  /** Rights were changed by what was just committed, and perhaps somebody's list of Hubs. */
  changed(isHubsChanged: boolean): void {
    this.#version += 1;
    if (isHubsChanged) this.#isHubsChanged = true;
    if (!this.#isJudging) void this.#judgeAll();
  }

  async check(socket: LiveSocket, rights = new CommittedRights(this.#deps)): Promise<void> {
    try {
      for (const lost of await authorizeSocket(this.#deps, socket, rights)) this.#watched.leave(socket, lost);
    } catch (err) {
      // Who cannot be judged may not go on: he comes back, and is judged then.
      this.#deps.log.error({ err, requestId: socket.requestId }, 'The rights of a live connection could not be judged');
      socket.close(1011, 'The server cannot read its disk at the moment. Come back.');
    }
  }

  /** Judges everyone again, by what is committed now, until no change has come in between. */
  async #judgeAll(): Promise<void> {
    this.#isJudging = true;
    try {
      for (let checked = -1; checked !== this.#version; ) {
        checked = this.#version;
        await this.#judgeOnce();
      }
    } finally {
      this.#isJudging = false;
    }
  }

  async #judgeOnce(): Promise<void> {
    const { clock } = this.#deps;
    const rights = new CommittedRights(this.#deps);
    const isHubsChanged = this.#isHubsChanged;
    this.#isHubsChanged = false;
    let end = clock.monotonic() + TURN_MS;
    for (const socket of [...this.#watched.sockets]) {
      await this.check(socket, rights);
      if (isHubsChanged) socket.send(frame({ type: 'hubs.changed' }));
      if (clock.monotonic() < end) continue;
      await new Promise((resolve) => setImmediate(resolve));
      end = clock.monotonic() + TURN_MS;
    }
  }
}
