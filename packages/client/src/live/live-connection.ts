import { optionsProblem } from '../options-problem.ts';
import { Connection } from './connection.ts';
import { RUNTIME_ENVIRONMENT, type RuntimeEnvironment, systemEnvironment } from './environment.ts';
import { FollowedHub } from './followed-hub.ts';
import type { LiveErrorCode } from './frames.ts';
import { openSocket, readTarget, requireWebSocket } from './open-socket.ts';
import type { FollowEnd, Following, FollowOptions, Live, LiveOptions, LiveState } from './options.ts';
import type { ClientFrame, ErrorFrame, ServerFrame } from './protocol.ts';
import { fetchRejection } from './rejection.ts';

/** The codes of errors that the server sends on its own. All other errors are responses to a `subscribe`. */
const UNSOLICITED: ReadonlySet<LiveErrorCode> = new Set(['hub_deleted', 'not_member']);

/** A connection and the Hubs that are followed over it. The web app uses it as it is; the package adds `events`. */
export class LiveConnection implements Omit<Live, 'events'> {
  protected readonly options: LiveOptions;
  readonly #environment: RuntimeEnvironment;
  readonly #connection: Connection;
  readonly #hubs = new Map<string, FollowedHub>();
  /** The number of pending responses for each Hub. Only the last of them is for the latest `subscribe`. */
  readonly #pendingResponses = new Map<string, number>();
  #pings = 0;
  #hasAttention = false;

  constructor(options: LiveOptions) {
    checkOptions(options, 'connectLive', LIVE_OPTIONS);
    const target = readTarget(options);
    if (options.createSocket === undefined) requireWebSocket(target);
    const { createSocket = openSocket } = options;
    const fetchForRejection = rejectionFetch(options);
    this.options = options;
    this.#environment =
      (options as { [RUNTIME_ENVIRONMENT]?: RuntimeEnvironment })[RUNTIME_ENVIRONMENT] ?? systemEnvironment;
    this.#connection = new Connection({
      environment: this.#environment,
      open: () => createSocket(target.url, target.headers),
      fetchRejection: async () => fetchForRejection && fetchRejection(target, fetchForRejection),
      probe: () => this.#probe(),
      onOpen: () => this.#handleOpen(),
      onFrame: (frame, characters) => this.#handleFrame(frame, characters),
      onCut: () => this.#handleCut(),
      onState: (state) => this.#handleState(state),
    });
    this.#connection.start();
  }

  get state(): LiveState {
    return this.#connection.state;
  }

  follow(hubId: string, options: FollowOptions): Following {
    checkOptions(options, 'follow', FOLLOW_OPTIONS);
    checkFollowOptions(hubId, options);
    if (this.#hubs.has(hubId)) throw new TypeError(`The Hub ${hubId} is already followed. Call stop first.`);
    if (this.state.status === 'ended') throw new Error(this.state.message);
    const hub = new FollowedHub(hubId, options, {
      environment: this.#environment,
      send: (frame) => this.#send(frame),
      isConnected: () => this.#connection.isOpen,
      onError: (error) => this.#reportError(error),
      onLeft: () => this.#hubs.delete(hubId),
    });
    this.#hubs.set(hubId, hub);
    if (this.#connection.isOpen) hub.connected();
    return hub;
  }

  wake(): void {
    this.#connection.wake();
  }

  attend(hasAttention: boolean): void {
    if (this.#hasAttention === hasAttention) return;
    this.#hasAttention = hasAttention;
    this.#send({ type: 'attend', isAttending: hasAttention });
  }

  close(): void {
    for (const hub of [...this.#hubs.values()]) hub.stop();
    this.#connection.end('closed', 'The live connection was closed.');
  }

  #send(frame: ClientFrame): void {
    if (!this.#connection.isOpen) return;
    this.#connection.send(frame);
    if (frame.type !== 'subscribe') return;
    this.#pendingResponses.set(frame.hubId, (this.#pendingResponses.get(frame.hubId) ?? 0) + 1);
    this.#connection.expectResponse();
  }

  /** Checks that the server responds. Uses each Hub in turn, so that the response also reveals missed events in it. */
  #probe(): void {
    for (const [hubId, hub] of this.#hubs) {
      if (!hub.canProbe) continue;
      this.#hubs.delete(hubId);
      this.#hubs.set(hubId, hub);
      hub.probe();
      return;
    }
    // Without Hubs, send an unknown frame: the server responds to it with an error.
    this.#pings += 1;
    this.#connection.send({ type: 'ping' });
    this.#connection.expectResponse();
  }

  #handleOpen(): void {
    for (const hub of [...this.#hubs.values()]) hub.connected();
    if (this.#hasAttention) this.#send({ type: 'attend', isAttending: true });
    this.#report(this.options.onHubsChanged);
  }

  #handleCut(): void {
    this.#pendingResponses.clear();
    this.#pings = 0;
    for (const hub of this.#hubs.values()) hub.disconnected();
  }

  #handleFrame(frame: ServerFrame, characters: number): void {
    if (frame.type === 'event') {
      this.#hubs.get(frame.hubId)?.handleEvent(frame, characters);
    } else if (frame.type === 'subscribed' || frame.type === 'reset') {
      if (this.#isLastResponse(frame.hubId)) this.#hubs.get(frame.hubId)?.handleResponse(frame);
    } else if (frame.type === 'hubs.changed') {
      this.#report(this.options.onHubsChanged);
    } else if (frame.type === 'workspace.changed') {
      this.#report(this.options.onWorkspaceChanged, frame.topics);
    } else if (frame.type === 'notification') {
      this.#report(this.options.onNotification, frame.notification);
    } else if (frame.type === 'unread') {
      const { type: _, ...unread } = frame;
      this.#report(this.options.onUnread, unread);
    } else if (frame.type === 'error') {
      this.#handleError(frame);
    }
  }

  #handleError(frame: ErrorFrame): void {
    if (frame.hubId === undefined) this.#handleProtocolError(frame.message);
    else if (UNSOLICITED.has(frame.code) || this.#isLastResponse(frame.hubId))
      this.#hubs.get(frame.hubId)?.handleError(frame);
  }

  #isLastResponse(hubId: string): boolean {
    const remaining = (this.#pendingResponses.get(hubId) ?? 1) - 1;
    if (remaining > 0) this.#pendingResponses.set(hubId, remaining);
    else this.#pendingResponses.delete(hubId);
    return remaining <= 0;
  }

  #handleProtocolError(message: string): void {
    if (this.#pings > 0) this.#pings -= 1;
    else this.#connection.fail(`The server rejected a frame: ${message}`);
  }

  #handleState(state: LiveState): void {
    this.#report(this.options.onState, state);
    if (state.status !== 'ended' || state.reason !== 'unauthenticated') return;
    const end: FollowEnd = { code: 'unauthenticated', message: state.message };
    for (const hub of [...this.#hubs.values()]) hub.end(end);
  }

  #report<Args extends unknown[]>(listener: ((...args: Args) => unknown) | undefined, ...args: Args): void {
    try {
      listener?.(...args);
    } catch (error) {
      this.#reportError(error);
    }
  }

  #reportError(error: unknown): void {
    const { onError } = this.options;
    queueMicrotask(() => {
      if (onError === undefined) throw error;
      onError(error);
    });
  }
}

/** Returns the `fetch` that finds the reason for a rejection; undefined if it would not send the same credentials. */
function rejectionFetch(options: LiveOptions): LiveOptions['fetch'] {
  if (options.fetch) return options.fetch;
  // A token that is given, but undefined, comes from a variable that is not set.
  return options.createSocket && !('token' in options) ? undefined : (url, init) => fetch(url, init);
}

const LIVE_OPTIONS: Record<keyof LiveOptions, true> = {
  baseUrl: true,
  url: true,
  token: true,
  createSocket: true,
  fetch: true,
  onState: true,
  onHubsChanged: true,
  onNotification: true,
  onUnread: true,
  onWorkspaceChanged: true,
  onError: true,
};

const FOLLOW_OPTIONS: Record<keyof FollowOptions, true> = {
  after: true,
  epoch: true,
  onEvent: true,
  onReset: true,
  onCaughtUp: true,
  onEnd: true,
  queueLimit: true,
};

/** Lists the options instead of suggesting one: the code for that would be part of the first load of web apps. */
function checkOptions(options: object, owner: string, optionNames: Record<string, true>): void {
  const problem = optionsProblem(options, owner, optionNames);
  if (problem !== undefined) throw new TypeError(problem);
}

function checkFollowOptions(hubId: string, { after, epoch, onEvent, queueLimit = 1 }: FollowOptions): void {
  if (typeof hubId !== 'string' || hubId === '') throw new TypeError('follow requires the ID of a Hub.');
  if (typeof onEvent !== 'function') throw new TypeError('follow requires the function onEvent.');
  if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0)) {
    throw new TypeError('after must be the number of the last known event: a whole number, 0 or more.');
  }
  if (epoch !== undefined && after === undefined) throw new TypeError('epoch requires after.');
  if (!(Number.isInteger(queueLimit) && queueLimit > 0)) throw new TypeError('queueLimit must be above 0.');
}
