import type { Deps } from '../context/deps.ts';
import { authorizeSocket } from './authorize-socket.ts';
import { CommittedRights } from './committed-rights.ts';
import { frame } from './live-frames.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';

const TURN_MS = 4;

type WatchDeps = Pick<Deps, 'store' | 'clock' | 'log' | 'revocations'>;

interface Watched {
  sockets: ReadonlySet<LiveSocket>;
  /** Called when a connection has lost access to a Hub. */
  leave: (socket: LiveSocket, lost: Subscription) => void;
}

/** Removes Hubs that a connection has lost access to, and closes it if its session, token or account has ended. */
export class RightsWatch {
  readonly #deps: WatchDeps;
  readonly #watched: Watched;
  #version = 0;
  #isChecking = false;
  #isHubsChanged = false;

  constructor(deps: WatchDeps, watched: Watched) {
    this.#deps = deps;
    this.#watched = watched;
  }

  /** Increases with every change of rights. A check against an older version must be repeated. */
  get version(): number {
    return this.#version;
  }

  /** Called after a commit that changed rights. `isHubsChanged`: it also changed which Hubs users see. */
  changed(isHubsChanged: boolean): void {
    this.#version += 1;
    if (isHubsChanged) this.#isHubsChanged = true;
    if (!this.#isChecking) void this.#checkAll();
  }

  async check(socket: LiveSocket, rights = new CommittedRights(this.#deps)): Promise<void> {
    try {
      for (const lost of await authorizeSocket(this.#deps, socket, rights)) this.#watched.leave(socket, lost);
    } catch (err) {
      // A connection that could not be checked must not continue. The client reconnects and is checked then.
      this.#deps.log.error({ err, requestId: socket.requestId }, 'Failed to check the rights of a live connection');
      socket.close(1011, 'The server cannot read its disk at the moment. Reconnect later.');
    }
  }

  /** Checks all connections against the committed state, repeatedly until nothing changes during a check. */
  async #checkAll(): Promise<void> {
    this.#isChecking = true;
    try {
      for (let checked = -1; checked !== this.#version; ) {
        checked = this.#version;
        await this.#checkOnce();
      }
    } finally {
      this.#isChecking = false;
    }
  }

  async #checkOnce(): Promise<void> {
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
