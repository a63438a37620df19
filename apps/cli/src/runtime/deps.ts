import type { LiveSocket } from '@hub/client/live';
import type { ChildEnd } from './child-process.ts';

/** An output stream: standard output or standard error. */
export interface Sink {
  readonly isTTY: boolean;
  /** The width in columns, if the stream is a terminal. */
  readonly columns: number | undefined;
  write(text: string): void;
  /** Resolves when all output is written or has failed, so that a fast writer can wait for a slow reader. */
  drained(): Promise<void>;
  /** The system error code of a failed write, such as ENOSPC; known after `drained`. */
  readonly problem: string | undefined;
}

/** An input stream. */
interface Source {
  readonly isTTY: boolean;
  /** Yields the bytes as they arrive. Reading may stop early. */
  chunks(): AsyncIterable<Uint8Array>;
}

interface Clock {
  /** Returns milliseconds since 1970 UTC. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

/** `fetch` with Bun's `unix` option. */
export type Fetch = (url: string, init: BunFetchRequestInit) => Promise<Response>;

export interface Choice<T> {
  name: string;
  value: T;
  /** Shown while the choice is highlighted. */
  description?: string;
  /** Whether `chooseSome` preselects it. */
  isSelected?: boolean;
}

/** Prompts on the terminal. Each call rejects with a `CliError` if the user presses Ctrl-C or Ctrl-D. */
export interface Prompts {
  /** `check` returns `true` or an error message. */
  text(message: string, check?: (response: string) => true | string): Promise<string>;
  /** Hides the input, and keeps its leading and trailing white space. */
  secret(message: string): Promise<string>;
  /** The user can type words to filter the choices. */
  choose<T>(message: string, choices: Choice<T>[]): Promise<T>;
  /** Requires at least one, unless `mayBeNone` is set. */
  chooseSome<T>(message: string, choices: Choice<T>[], options?: { mayBeNone?: boolean }): Promise<T[]>;
  /** Enter means no. */
  confirm(message: string): Promise<boolean>;
}

/** The dependencies of `hubctl`, so that tests can run it in their own process. */
export interface Deps {
  readonly version: string;
  /** The name of this machine. */
  readonly hostname: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly fetch: Fetch;
  /** Opens a WebSocket with headers, which web pages cannot set. */
  readonly openSocket: (url: string, headers: Record<string, string>) => LiveSocket;
  /**
   * Calls `listener` instead of exiting on Ctrl-C, a termination signal or a closed standard output, for commands that
   * run until stopped. Returns a function that removes the listener.
   */
  readonly onStop: (listener: () => void) => () => void;
  /** Opens a web page in the user's browser, if there is one. */
  readonly openPage: (url: string) => void;
  /** Runs another program (`child-process.ts`). */
  readonly runChild: (argv: readonly string[], onOutput: (chunk: Uint8Array) => void) => Promise<ChildEnd>;
  /** Lowers the CPU priority of this process. */
  readonly lowerPriority: () => void;
  readonly clock: Clock;
  readonly prompts: Prompts;
}
