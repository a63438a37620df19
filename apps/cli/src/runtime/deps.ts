import type { LiveSocket } from '@hub/client/live';

/** Where text goes: standard output or standard error. */
export interface Sink {
  readonly isTTY: boolean;
  /** The width of the terminal, if it is one. */
  readonly columns: number | undefined;
  write(text: string): void;
  /** Resolves when all of it has left or could not, so that who writes much can wait for who reads slowly. */
  drained(): Promise<void>;
  /** The system's code for why something could not be written, such as ENOSPC; known once it has drained. */
  readonly problem: string | undefined;
}

/** Where text comes from. */
export interface Source {
  readonly isTTY: boolean;
  /** The bytes as they arrive. Reading may stop early. */
  chunks(): AsyncIterable<Uint8Array>;
}

export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
}

/** `fetch` with Bun's `unix` option. */
export type Fetch = (url: string, init: BunFetchRequestInit) => Promise<Response>;

export interface Choice<T> {
  name: string;
  value: T;
  /** Shown beside the list when the choice is pointed at. */
  description?: string;
}

/** Asks the person at the terminal. Each call rejects with a `CliError` if that person presses Ctrl-C or Ctrl-D. */
export interface Prompts {
  /** `check` returns `true`, or what is wrong with the answer. */
  text(message: string, check?: (response: string) => true | string): Promise<string>;
  /** The answer is not shown, and every character of it counts, also white space at its ends. */
  secret(message: string): Promise<string>;
  choose<T>(message: string, choices: Choice<T>[]): Promise<T>;
  /** At least one, and all are ticked at first; or, if there may be none, none is. */
  chooseSome<T>(message: string, choices: Choice<T>[], options?: { mayBeNone?: boolean }): Promise<T[]>;
  /** Enter means no. */
  confirm(message: string): Promise<boolean>;
}

/** All that `hubctl` needs from outside, so that a test can run it whole within its own process. */
export interface Deps {
  readonly version: string;
  /** The name of this machine. */
  readonly hostname: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly fetch: Fetch;
  /** Opens a WebSocket with headers, as only programs can send them. */
  readonly openSocket: (url: string, headers: Record<string, string>) => LiveSocket;
  /**
   * Calls `listener`, instead of ending, at Ctrl-C and when the program is told to end; also once nobody reads standard
   * output any more. For commands that go on and on. The result takes it back.
   */
  readonly onStop: (listener: () => void) => () => void;
  /** Lets all others have the processor first, from now on. */
  readonly stepBack: () => void;
  readonly clock: Clock;
  readonly prompts: Prompts;
}
