import { ACCOUNT_DISABLED, LIVE_CLOSE } from '@hub/contract';
import { type Caller, factorDueAt, isCredentialValid, userCaller } from '../access/caller.ts';
import type { Deps } from '../access/deps.ts';
import type { Clock } from '../platform/ports.ts';
import { oneAtATime } from '../platform/repeat.ts';
import type { HubListing } from '../storage/hubs.ts';
import { frame } from './live-frames.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';

const TURN_MS = 4;

type WatchDeps = Pick<Deps, 'store' | 'clock' | 'log' | 'revocations'>;

interface Watched {
  sockets: ReadonlySet<LiveSocket>;
  leave: (socket: LiveSocket, lost: Subscription) => void;
}

/** Removes Hubs that a connection has lost access to, and closes it if its session, token or account has ended. */
export class RightsWatch {
  #version = 0;
  #isHubsChanged = false;
  readonly #checkAll = oneAtATime(() => this.#checkOnce());

  constructor(
    private readonly deps: WatchDeps,
    private readonly watched: Watched,
  ) {}

  /** Increases with every change of rights. A check against an older version must be repeated. */
  get version(): number {
    return this.#version;
  }

  /** Called after a commit that changed rights. `isHubsChanged`: it also changed which Hubs users see. */
  changed(isHubsChanged: boolean): void {
    this.#version += 1;
    if (isHubsChanged) this.#isHubsChanged = true;
    void this.#checkAll();
  }

  async check(socket: LiveSocket, rights = new CommittedRights(this.deps.store)): Promise<void> {
    try {
      for (const lost of await authorizeSocket(this.deps, socket, rights)) this.watched.leave(socket, lost);
    } catch (err) {
      // A connection that could not be checked must not continue. The client reconnects and is checked then.
      this.deps.log.error({ err, requestId: socket.requestId }, 'Failed to check the rights of a live connection');
      socket.close(1011, 'The server cannot read its database at the moment. Reconnect later.');
    }
  }

  /** Checks all connections against the committed state. */
  async #checkOnce(): Promise<void> {
    const { clock } = this.deps;
    const rights = new CommittedRights(this.deps.store);
    const isHubsChanged = this.#isHubsChanged;
    this.#isHubsChanged = false;
    await inTurns(this.watched.sockets, clock, async (socket) => {
      await this.check(socket, rights);
      if (isHubsChanged) socket.send(frame({ type: 'hubs.changed' }));
    });
  }
}

/** Handles all connections, and yields to requests and other work every few milliseconds. */
export async function inTurns(
  sockets: ReadonlySet<LiveSocket>,
  clock: Clock,
  handle: (socket: LiveSocket) => Promise<void>,
): Promise<void> {
  let end = clock.monotonic() + TURN_MS;
  for (const socket of [...sockets]) {
    await handle(socket);
    if (clock.monotonic() < end) continue;
    await new Promise((resolve) => setImmediate(resolve));
    end = clock.monotonic() + TURN_MS;
  }
}

/** Hubs and their members, looked up only once for all connections that are checked in the same pass. */
export class CommittedRights {
  readonly #hubs = new Map<string, HubListing | null>();
  readonly #readable = new Map<string, ReadonlySet<string>>();

  constructor(private readonly store: Deps['store']) {}

  /** Returns the Hub, or null if it was deleted. */
  async hub(hubId: string): Promise<HubListing | null> {
    const cached = this.#hubs.get(hubId);
    if (cached !== undefined) return cached;
    const record = await this.store.hubs.find(hubId);
    const hub = record?.deletedAt === null ? record : null;
    this.#hubs.set(hubId, hub);
    return hub;
  }

  async isMember(userId: string, hubId: string): Promise<boolean> {
    let readable = this.#readable.get(userId);
    if (!readable) {
      readable = new Set(await this.store.memberships.listHubIds(userId));
      this.#readable.set(userId, readable);
    }
    return readable.has(hubId);
  }
}

/** Checks a connection against the committed state: closes it, or sends an error for each lost Hub. Returns those. */
async function authorizeSocket(
  deps: Pick<Deps, 'store' | 'clock' | 'revocations'>,
  socket: LiveSocket,
  rights: CommittedRights,
): Promise<Subscription[]> {
  const { store } = deps;
  const { credential, address } = socket.caller;
  if (credential.kind !== 'local') {
    const current = await store.users.findCredentialById(credential.id, credential.kind);
    if (current) socket.caller = userCaller(current, address);
    const dueAt = factorDueAt(socket.caller);
    const isOverdue = dueAt !== null && dueAt <= deps.clock.now();
    if (!current || !isCredentialValid(deps, current) || isOverdue) {
      const lost = [...socket.subscriptions.values()];
      const reason = isOverdue ? FACTOR_OVERDUE : await closeReason(store, socket.caller);
      socket.close(LIVE_CLOSE.unauthenticated, reason);
      return lost;
    }
  }
  const { user } = socket.caller;
  const lost: Subscription[] = [];
  for (const subscription of socket.subscriptions.values()) {
    const { hubId } = subscription.feed;
    const hub = await rights.hub(hubId);
    if (!hub) {
      socket.error('hub_deleted', 'The Hub was deleted.', hubId);
    } else if (user !== null && !(await rights.isMember(user.id, hubId))) {
      socket.error('not_member', `You are no longer a member of the Hub "${hub.name}".`, hubId);
    } else continue;
    lost.push(subscription);
  }
  return lost;
}

const FACTOR_OVERDUE = 'Your workspace requires a second factor. Set one up in the web app first.';

/** Returns the close reason. It may reveal that the account is disabled, because its user was signed in before. */
async function closeReason(store: Deps['store'], { user }: Caller): Promise<string> {
  const account = user && (await store.users.find(user.id));
  const isDisabled = account !== null && account.disabledAt !== null;
  return isDisabled ? ACCOUNT_DISABLED : 'Your session or token is no longer valid. Sign in again.';
}
