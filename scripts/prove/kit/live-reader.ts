import type { EventFrame, ServerFrame } from '@hub/contract';
import { type HubServer, until, userWithToken, withConcurrency } from '@hub/testkit';
import type { Proof } from './proof.ts';

/** Shorter than the delays that docs/live.md asks of clients, to keep proofs short. */
const [FIRST_WAIT_MS, MAX_WAIT_MS] = [200, 2_000];
/**
 * If a thousand clients connect at the same time, the kernel may lose a connection before the server accepts it, and
 * not report the loss for minutes.
 */
const OPEN_MS = 5_000;

interface LiveReaderOptions {
  readonly name: string;
  /** A personal access token. */
  readonly token: string;
  readonly hubIds: readonly string[];
  /** The ports of the nodes. After each connection, the next one is used. */
  readonly ports: () => readonly number[];
  /** Whether a node may fail to read the log, as without its database; the reader then connects to the next one. */
  readonly mayFail?: boolean;
  /** Whether to collect the ids of new items. */
  readonly keepsIds?: boolean;
  readonly onEvent?: (event: EventFrame) => void;
}

interface FollowedHub {
  readonly hubId: string;
  /** The last event that was received. */
  position: number;
  epoch?: string;
  /** Whether the reply to `subscribe` has yet to arrive. */
  isAwaited: boolean;
}

/**
 * A client written only from docs/live.md: follows Hubs from their first event over any number of connections, and checks
 * that every event arrives once and in order.
 */
export class LiveReader {
  readonly problems: string[] = [];
  /** The ids of the items whose creation has arrived. */
  readonly createdIds = new Set<string>();
  readonly counts = { connections: 0, events: 0, closedByServer: 0 };
  /** When the last connection ended, on the monotonic clock. */
  closedAt = Number.NaN;
  readonly #hubs: FollowedHub[];
  #socket: WebSocket | undefined;
  #isConnected = false;
  #failures = 0;
  #isStopped = false;

  constructor(readonly options: LiveReaderOptions) {
    this.#hubs = options.hubIds.map((hubId) => ({ hubId, position: 0, isAwaited: true }));
    this.#connect();
  }

  /** Whether it is connected and follows every Hub. */
  get isFollowing(): boolean {
    return this.#isConnected && this.#hubs.every(({ isAwaited }) => !isAwaited);
  }

  /** Whether all events of a Hub up to this one have arrived. */
  hasAll(hubId: string, seq: number): boolean {
    return (this.#hubs.find((hub) => hub.hubId === hubId)?.position ?? 0) >= seq;
  }

  /** Cuts the connection without a close frame. */
  cut(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#closed(socket);
    socket.terminate();
  }

  stop(): void {
    this.#isStopped = true;
    this.cut();
  }

  #connect(): void {
    if (this.#isStopped) return;
    const ports = this.options.ports();
    const port = ports[this.counts.connections % ports.length] as number;
    this.counts.connections += 1;
    // Bun's client accepts headers, which the standard types do not include.
    const options = { headers: { authorization: `Bearer ${this.options.token}` } } as unknown as string[];
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/live`, options);
    this.#socket = socket;
    const opening = setTimeout(() => this.cut(), OPEN_MS);
    socket.onopen = () => {
      clearTimeout(opening);
      this.#isConnected = true;
      this.#failures = 0;
      for (const hub of this.#hubs) {
        hub.isAwaited = true;
        socket.send(JSON.stringify({ type: 'subscribe', hubId: hub.hubId, after: hub.position, epoch: hub.epoch }));
      }
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#take(data);
    };
    socket.onclose = ({ code }) => {
      clearTimeout(opening);
      if (socket !== this.#socket) return;
      this.counts.closedByServer += 1;
      if (code === 4401) this.#problem('the server says that the token has ended');
      this.#closed(socket);
    };
  }

  #closed(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.closedAt = performance.now();
    this.#isConnected = false;
    setTimeout(() => this.#connect(), Math.random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures));
    this.#failures += 1;
  }

  #take(text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    if (frame.type === 'error') {
      if (this.options.mayFail) this.cut();
      else this.#problem(text.slice(0, 300));
    } else if (frame.type === 'event' || frame.type === 'subscribed' || frame.type === 'reset') {
      const hub = this.#hubs.find(({ hubId }) => hubId === frame.hubId);
      if (!hub) this.#problem(`${frame.type} of a Hub that it does not follow`);
      else if (frame.type === 'event') this.#happened(hub, frame);
      else {
        if (frame.type === 'reset' || !hub.isAwaited) this.#problem(`${text} came`);
        hub.isAwaited = false;
        hub.epoch = frame.epoch;
      }
    }
  }

  #happened(hub: FollowedHub, event: EventFrame): void {
    this.counts.events += 1;
    const { seq, data } = event;
    const { position } = hub;
    if (hub.isAwaited) this.#problem(`event ${seq} comes before the reply to subscribe`);
    if (seq > position + 1) this.#problem(`missed: event ${seq} came after ${position}`);
    if (seq <= position) this.#problem(`twice: event ${seq} came after ${position}`);
    hub.position = Math.max(position, seq);
    if (event.event.endsWith('.created') && 'createdAt' in data && this.options.keepsIds !== false) {
      if (this.createdIds.has(data.id)) this.#problem(`twice: ${data.id} was created again by event ${seq}`);
      this.createdIds.add(data.id);
    }
    this.options.onEvent?.(event);
  }

  #problem(what: string): void {
    if (this.problems.length < 100) this.problems.push(`${this.options.name}: ${what}`);
  }
}

const [ADMINS, MEMBERS, TEAM_HUBS] = [2, 4, 4];

export type Crew = Awaited<ReturnType<typeof createCrew>>;

/**
 * Creates Hubs with this many keys each, enough that none reaches its limit, and users who are members of all of them;
 * the first one is an admin.
 */
export async function createCrew(hub: HubServer, keysPerHub: number) {
  const hubIds = await hub.admin.createHubs(TEAM_HUBS);
  const keys = await hub.admin.issueKeys(hubIds, keysPerHub * TEAM_HUBS);
  const users = await withConcurrency(Array.from({ length: ADMINS + MEMBERS }), (_, n) =>
    userWithToken(hub, { name: `Person ${n}`, role: n < ADMINS ? 'admin' : 'member', hubIds }),
  );
  return { hubIds, keys, users };
}

const SETTLE_MS = 30_000;
/** The time to wait for surplus frames after the last expected one. */
const STRAY_MS = 300;

/** Starts this many followers of a crew's Hubs. `finish` checks what they have received, and ends them. */
export async function startFollowers(
  proof: Proof,
  server: HubServer,
  options: { crew: Crew; count: number; hubIdsOf: (n: number) => string[]; keepsIds?: boolean },
) {
  const { crew, count, hubIdsOf, keepsIds = true } = options;
  const readers = Array.from({ length: count }, (_, n) => {
    const token = crew.users[n % crew.users.length]?.token ?? '';
    return new LiveReader({ name: `reader ${n}`, token, hubIds: hubIdsOf(n), ports: () => [server.port], keepsIds });
  });
  const areFollowing = () => readers.every(({ isFollowing }) => isFollowing);
  proof.check('every socket follows its Hubs', await until(SETTLE_MS, areFollowing));
  const finish = async (): Promise<void> => {
    const hubs = await Promise.all(crew.hubIds.map((hubId) => server.admin.request('GET /hubs/{hubId}', { hubId })));
    const newest = new Map(hubs.map(({ id, seq }) => [id, seq]));
    const isComplete = (reader: LiveReader): boolean =>
      reader.isFollowing && reader.options.hubIds.every((hubId) => reader.hasAll(hubId, newest.get(hubId) ?? 0));
    await until(SETTLE_MS, () => readers.every(isComplete));
    await Bun.sleep(STRAY_MS);
    const lagging = readers.filter((reader) => !isComplete(reader)).map(() => 'one lags behind');
    proof.none('all readers are connected, and have the newest event', lagging);
    const problems = readers.flatMap((reader) => reader.problems);
    proof.none('every event arrives once and in order', problems);
    for (const reader of readers) reader.stop();
  };
  return { readers, finish };
}
