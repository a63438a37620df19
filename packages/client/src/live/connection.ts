import { backoffMs } from './backoff.ts';
import type { RuntimeEnvironment } from './environment.ts';
import { Heartbeat } from './heartbeat.ts';
import type { LiveSocket, LiveState } from './options.ts';
import { type ClientFrame, readFrame, type ServerFrame } from './protocol.ts';
import type { Rejected } from './why-refused.ts';

/** An attempt that takes longer is given up. */
const OPEN_MS = 10_000;
/** A connection that held so long was a good one: the next attempt comes soon. */
const STABLE_MS = 5_000;
/** `readyState` of a socket that is open: https://websockets.spec.whatwg.org/#dom-websocket-readystate */
const OPEN = 1;
/** The session or token has ended: see docs/live.md. */
const UNAUTHENTICATED = 4401;

export interface ConnectionDeps {
  environment: RuntimeEnvironment;
  open: () => LiveSocket;
  /** Asked when a connection could not be opened. */
  askWhyRejected: () => Promise<Rejected | undefined>;
  /** Sends what the server answers, and then calls `expect`. */
  ask: () => void;
  onOpen: () => void;
  onFrame: (frame: ServerFrame, characters: number) => void;
  onCut: () => void;
  onState: (state: LiveState) => void;
}

/** One connection at a time: opened again whenever it is cut, until it ends. */
export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #heartbeat: Heartbeat;
  #state: LiveState = { status: 'connecting' };
  #socket: LiveSocket | undefined;
  #openedAt: number | undefined;
  #failures = 0;
  #cancelTimer: () => void = () => {};
  #stopListening: () => void = () => {};

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    const { clock } = deps.environment;
    this.#heartbeat = new Heartbeat(clock, { ask: deps.ask, onDead: () => this.#cut('The server does not answer.') });
  }

  get state(): LiveState {
    return this.#state;
  }

  get isOpen(): boolean {
    return this.#openedAt !== undefined;
  }

  start(): void {
    this.#stopListening = this.#deps.environment.onWake(() => this.wake());
    this.#attempt();
  }

  /** Dropped while there is no connection: who has to say something says it again when there is one. */
  send(frame: ClientFrame | { type: 'ping' }): void {
    const socket = this.#socket;
    // One that closes has not said so yet: a browser complains in its console, or throws.
    if (this.isOpen && (socket?.readyState ?? OPEN) === OPEN) socket?.send(JSON.stringify(frame));
  }

  /** What was sent will be answered. */
  expect(): void {
    this.#heartbeat.expect();
  }

  wake(): void {
    if (this.isOpen) this.#heartbeat.check();
    else if (this.#state.status === 'waiting') this.#attempt();
  }

  /** Gives this connection up and opens another. */
  #cut(reason: string): void {
    const { environment } = this.#deps;
    const wasOpen = this.isOpen;
    const isStable = this.#openedAt !== undefined && environment.clock.now() - this.#openedAt >= STABLE_MS;
    if (isStable) this.#failures = 0;
    this.#abandon();
    const delayMs = backoffMs(this.#failures, environment.random);
    this.#failures += 1;
    this.#cancelTimer = environment.clock.setTimer(delayMs, () => this.#attempt());
    this.#enter({ status: 'waiting', delayMs, reason });
    if (wasOpen) this.#deps.onCut();
    else void this.#lookWhyRefused();
  }

  fail(reason: string): void {
    if (this.isOpen) this.#cut(reason);
  }

  end(reason: 'closed' | 'unauthenticated', message: string): void {
    if (this.#state.status === 'ended') return;
    this.#abandon();
    this.#stopListening();
    this.#enter({ status: 'ended', reason, message });
  }

  #attempt(): void {
    this.#cancelTimer();
    this.#enter({ status: 'connecting' });
    if (this.#state.status !== 'connecting') return;
    this.#cancelTimer = this.#deps.environment.clock.setTimer(OPEN_MS, () => this.#cut('The server does not answer.'));
    try {
      this.#listen(this.#deps.open());
    } catch (error) {
      this.#cut(error instanceof Error ? error.message : String(error));
    }
  }

  /** A socket that was given up may speak for a while: it is not heard any more. */
  #listen(socket: LiveSocket): void {
    this.#socket = socket;
    let problem = 'The connection broke.';
    const heed = (handle: (event: Record<string, unknown>) => void) => (event: unknown) => {
      if (this.#socket === socket) handle(event as Record<string, unknown>);
    };
    socket.addEventListener('open', heed(this.#opened));
    socket.addEventListener(
      'message',
      heed(({ data }) => this.#received(data)),
    );
    socket.addEventListener(
      'error',
      heed(({ message }) => {
        if (typeof message === 'string' && message !== '') problem = message;
        // Node 22 sends no `close` after an attempt that failed.
        if (!this.isOpen) this.#cut(problem);
      }),
    );
    socket.addEventListener(
      'close',
      heed(({ code, reason }) => {
        const said = typeof reason === 'string' && reason !== '' ? reason : problem;
        if (code === UNAUTHENTICATED) this.end('unauthenticated', said);
        else this.#cut(said);
      }),
    );
  }

  readonly #opened = (): void => {
    this.#cancelTimer();
    this.#openedAt = this.#deps.environment.clock.now();
    this.#heartbeat.start();
    this.#enter({ status: 'live' });
    if (this.isOpen) this.#deps.onOpen();
  };

  #received(data: unknown): void {
    this.#heartbeat.received();
    const frame = readFrame(data);
    if (frame === undefined) this.#cut('The server sent what is no frame.');
    else this.#deps.onFrame(frame, String(data).length);
  }

  #abandon(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#openedAt = undefined;
    this.#cancelTimer();
    this.#heartbeat.stop();
    try {
      socket?.close();
    } catch {
      // It was closed already, or never open: either way it is gone.
    }
  }

  async #lookWhyRefused(): Promise<void> {
    const failures = this.#failures;
    const refused = await this.#deps.askWhyRejected();
    // Meanwhile another attempt may have fared better.
    if (!refused || this.isOpen || this.#failures !== failures) return;
    if (refused.statusCode === 401) this.end('unauthenticated', refused.message);
    else if (this.#state.status === 'waiting')
      this.#enter({ ...this.#state, reason: refused.message, isRefused: true });
  }

  #enter(state: LiveState): void {
    this.#state = state;
    this.#deps.onState(state);
  }
}
