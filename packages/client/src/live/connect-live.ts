import { Connection } from './connection.ts';
import { RUNTIME_ENVIRONMENT, type RuntimeEnvironment, systemEnvironment } from './environment.ts';
import { FollowedHub } from './followed-hub.ts';
import type { LiveErrorCode } from './frames.ts';
import { openSocket, readTarget, requireWebSocket } from './open-socket.ts';
import type { FollowEnd, Following, FollowOptions, Live, LiveOptions, LiveState } from './options.ts';
import type { ClientFrame, ErrorFrame, ServerFrame } from './protocol.ts';
import { askWhyRejected } from './why-refused.ts';

/** What an error with a Hub says that comes by itself; the others answer a `subscribe`. */
const UNASKED: ReadonlySet<LiveErrorCode> = new Set(['hub_deleted', 'not_member']);

/**
 * Opens a live connection to a Hub server, which comes back by itself when it is cut.
 *
 * ```ts
 * const live = connectLive({ baseUrl: 'https://hub.example.com', token });
 * live.follow(hubId, { after: 0, onEvent: (event) => console.log(event), onReset: () => {} });
 * ```
 *
 * @throws TypeError if an option is wrong.
 */
export function connectLive(options: LiveOptions = {}): Live {
  return new LiveConnection(options);
}

/** The Hubs that are followed over one connection. */
class LiveConnection implements Live {
  readonly #options: LiveOptions;
  readonly #environment: RuntimeEnvironment;
  readonly #connection: Connection;
  readonly #hubs = new Map<string, FollowedHub>();
  /** How many answers are still to come, by Hub: only the last is to what was asked last. */
  readonly #awaited = new Map<string, number>();
  #pings = 0;
  #hasAttention = false;

  constructor(options: LiveOptions) {
    const target = readTarget(options);
    if (options.createSocket === undefined) requireWebSocket(target);
    const { createSocket = openSocket } = options;
    const ask = askerOf(options);
    this.#options = options;
    this.#environment =
      (options as { [RUNTIME_ENVIRONMENT]?: RuntimeEnvironment })[RUNTIME_ENVIRONMENT] ?? systemEnvironment;
    this.#connection = new Connection({
      environment: this.#environment,
      open: () => createSocket(target.url, target.headers),
      askWhyRejected: async () => ask && askWhyRejected(target, ask),
      ask: () => this.#ask(),
      onOpen: () => this.#opened(),
      onFrame: (frame, characters) => this.#take(frame, characters),
      onCut: () => this.#cut(),
      onState: (state) => this.#changed(state),
    });
    this.#connection.start();
  }

  get state(): LiveState {
    return this.#connection.state;
  }

  follow(hubId: string, options: FollowOptions): Following {
    checkFollowOptions(hubId, options);
    if (this.#hubs.has(hubId)) throw new TypeError(`The Hub ${hubId} is followed already: stop that first.`);
    if (this.state.status === 'ended') throw new Error(this.state.message);
    const hub = new FollowedHub(hubId, options, {
      environment: this.#environment,
      send: (frame) => this.#send(frame),
      isConnected: () => this.#connection.isOpen,
      onError: (error) => this.#problem(error),
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
    this.#awaited.set(frame.hubId, (this.#awaited.get(frame.hubId) ?? 0) + 1);
    this.#connection.expect();
  }

  /** Asks for a sign of life: of each Hub in turn, so that its numbers are compared as well. */
  #ask(): void {
    for (const [hubId, hub] of this.#hubs) {
      if (!hub.canBeAsked) continue;
      this.#hubs.delete(hubId);
      this.#hubs.set(hubId, hub);
      hub.ask();
      return;
    }
    // Whoever follows nothing: what the server does not understand is answered, too.
    this.#pings += 1;
    this.#connection.send({ type: 'ping' });
    this.#connection.expect();
  }

  #opened(): void {
    for (const hub of [...this.#hubs.values()]) hub.connected();
    if (this.#hasAttention) this.#send({ type: 'attend', isAttending: true });
    this.#report(this.#options.onHubsChanged);
  }

  #cut(): void {
    this.#awaited.clear();
    this.#pings = 0;
    for (const hub of this.#hubs.values()) hub.disconnected();
  }

  #take(frame: ServerFrame, characters: number): void {
    if (frame.type === 'event') {
      this.#hubs.get(frame.hubId)?.happened(frame, characters);
    } else if (frame.type === 'subscribed' || frame.type === 'reset') {
      if (this.#isLastResponse(frame.hubId)) this.#hubs.get(frame.hubId)?.responded(frame);
    } else if (frame.type === 'hubs.changed') {
      this.#report(this.#options.onHubsChanged);
    } else if (frame.type === 'workspace.changed') {
      this.#report(this.#options.onWorkspaceChanged, frame.topics);
    } else if (frame.type === 'notice') {
      this.#report(this.#options.onNotification, frame.notice);
    } else if (frame.type === 'unread') {
      const { type: _, ...unread } = frame;
      this.#report(this.#options.onUnread, unread);
    } else if (frame.type === 'error') {
      this.#refused(frame);
    }
  }

  #refused(frame: ErrorFrame): void {
    if (frame.hubId === undefined) this.#misunderstood(frame.message);
    else if (UNASKED.has(frame.code) || this.#isLastResponse(frame.hubId)) this.#hubs.get(frame.hubId)?.refused(frame);
  }

  #isLastResponse(hubId: string): boolean {
    const left = (this.#awaited.get(hubId) ?? 1) - 1;
    if (left > 0) this.#awaited.set(hubId, left);
    else this.#awaited.delete(hubId);
    return left <= 0;
  }

  #misunderstood(message: string): void {
    if (this.#pings > 0) this.#pings -= 1;
    else this.#connection.fail(`The server did not understand: ${message}`);
  }

  #changed(state: LiveState): void {
    this.#report(this.#options.onState, state);
    if (state.status !== 'ended' || state.reason !== 'unauthenticated') return;
    const end: FollowEnd = { code: 'unauthenticated', message: state.message };
    for (const hub of [...this.#hubs.values()]) hub.end(end);
  }

  #report<Args extends unknown[]>(listener: ((...args: Args) => unknown) | undefined, ...args: Args): void {
    try {
      listener?.(...args);
    } catch (error) {
      this.#problem(error);
    }
  }

  #problem(error: unknown): void {
    const { onError } = this.#options;
    queueMicrotask(() => {
      if (onError === undefined) throw error;
      onError(error);
    });
  }
}

/** Undefined if the question would go out without the credentials that the connection has. */
function askerOf({ createSocket, token, fetch: given }: LiveOptions): LiveOptions['fetch'] {
  if (given) return given;
  return createSocket && token === undefined ? undefined : (url, init) => fetch(url, init);
}

function checkFollowOptions(hubId: string, { after, epoch, onEvent, onReset, queueLimit = 1 }: FollowOptions): void {
  if (typeof hubId !== 'string' || hubId === '') throw new TypeError('follow needs the id of a Hub.');
  if (typeof onEvent !== 'function' || typeof onReset !== 'function') {
    throw new TypeError('follow needs the functions onEvent and onReset.');
  }
  if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0)) {
    throw new TypeError('after must be the number of the last event that is known: a whole number from 0 on.');
  }
  if (epoch !== undefined && after === undefined) throw new TypeError('epoch says nothing without after.');
  if (!(Number.isInteger(queueLimit) && queueLimit > 0)) throw new TypeError('queueLimit must be above 0.');
}
