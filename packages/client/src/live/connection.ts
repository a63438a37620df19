import { backoffMs } from './backoff.ts';
import type { RuntimeEnvironment } from './environment.ts';
import { Heartbeat } from './heartbeat.ts';
import type { LiveSocket, LiveState } from './options.ts';
import { type ClientFrame, readFrame, type ServerFrame } from './protocol.ts';
import type { Rejection } from './rejection.ts';

/** The timeout of an attempt to connect. */
const OPEN_MS = 10_000;
/** After a connection that lasted this long, the backoff starts over. */
const STABLE_MS = 5_000;
/** `readyState` of an open socket: https://websockets.spec.whatwg.org/#dom-websocket-readystate */
const OPEN = 1;
/** The session or token is no longer valid: see docs/live.md. */
const UNAUTHENTICATED = 4401;
/** The user has sent too many frames, perhaps from other clients. */
const TOO_MANY_FRAMES = 1008;
const TOO_MANY_FRAMES_WAIT_MS = 30_000;

interface ConnectionDeps {
  environment: RuntimeEnvironment;
  open: () => LiveSocket;
  /** Called when a connection could not be opened. */
  fetchRejection: () => Promise<Rejection | undefined>;
  /** Sends a frame that the server responds to, and then calls `expectResponse`. */
  probe: () => void;
  onOpen: () => void;
  onFrame: (frame: ServerFrame, characters: number) => void;
  onCut: () => void;
  onState: (state: LiveState) => void;
}

/** Keeps one connection open, reconnecting whenever it is lost, until its state is `ended`. */
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
    this.#heartbeat = new Heartbeat(clock, {
      probe: deps.probe,
      onDead: () => this.#cut('The server does not respond.'),
    });
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

  /** Sends a frame, or drops it while there is no connection; callers send again after connecting. */
  send(frame: ClientFrame | { type: 'ping' }): void {
    const socket = this.#socket;
    // A socket may be closing without having emitted `close` yet. Sending on it makes a browser log an error, or throw.
    if (this.isOpen && (socket?.readyState ?? OPEN) === OPEN) socket?.send(JSON.stringify(frame));
  }

  /** Expects a response to the frame just sent. */
  expectResponse(): void {
    this.#heartbeat.expectResponse();
  }

  wake(): void {
    if (this.isOpen) this.#heartbeat.check();
    else if (this.#state.status === 'waiting') this.#attempt();
  }

  /** Closes this connection and schedules another. `waitMs`: what the server asks for in addition to the backoff. */
  #cut(reason: string, waitMs = 0): void {
    const { environment } = this.#deps;
    const wasOpen = this.isOpen;
    const isStable = this.#openedAt !== undefined && environment.clock.now() - this.#openedAt >= STABLE_MS;
    if (isStable) this.#failures = 0;
    this.#abandon();
    const delayMs = waitMs + backoffMs(this.#failures, environment.random);
    this.#failures += 1;
    this.#cancelTimer = environment.clock.setTimer(delayMs, () => this.#attempt());
    this.#enter({ status: 'waiting', delayMs, reason, ...(waitMs > 0 && { isRejected: true }) });
    if (wasOpen) this.#deps.onCut();
    else void this.#explainRejection();
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
    this.#cancelTimer = this.#deps.environment.clock.setTimer(OPEN_MS, () => this.#cut('The server does not respond.'));
    try {
      this.#listen(this.#deps.open());
    } catch (error) {
      this.#cut(error instanceof Error ? error.message : String(error));
    }
  }

  /** Listens to a socket. Events of an abandoned socket, which may still arrive, are ignored. */
  #listen(socket: LiveSocket): void {
    this.#socket = socket;
    let problem = 'The connection was lost.';
    const ifCurrent = (handle: (event: Record<string, unknown>) => void) => (event: unknown) => {
      if (this.#socket === socket) handle(event as Record<string, unknown>);
    };
    socket.addEventListener('open', ifCurrent(this.#opened));
    socket.addEventListener(
      'message',
      ifCurrent(({ data }) => this.#received(data)),
    );
    socket.addEventListener(
      'error',
      ifCurrent(({ message }) => {
        if (typeof message === 'string' && message !== '') problem = message;
        // Node 22 emits no `close` after a failed attempt.
        if (!this.isOpen) this.#cut(problem);
      }),
    );
    socket.addEventListener(
      'close',
      ifCurrent(({ code, reason }) => {
        const message = typeof reason === 'string' && reason !== '' ? reason : problem;
        if (code === UNAUTHENTICATED) this.end('unauthenticated', message);
        else this.#cut(message, code === TOO_MANY_FRAMES ? TOO_MANY_FRAMES_WAIT_MS : 0);
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
    if (frame === undefined) this.#cut('The server sent an invalid frame.');
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
      // It was already closed, or never open.
    }
  }

  async #explainRejection(): Promise<void> {
    const failures = this.#failures;
    const rejection = await this.#deps.fetchRejection();
    // Another attempt may have succeeded in the meantime.
    if (!rejection || this.isOpen || this.#failures !== failures) return;
    if (rejection.statusCode === 401) this.end('unauthenticated', rejection.message);
    else if (this.#state.status === 'waiting')
      this.#enter({ ...this.#state, reason: rejection.message, isRejected: true });
  }

  #enter(state: LiveState): void {
    this.#state = state;
    this.#deps.onState(state);
  }
}
