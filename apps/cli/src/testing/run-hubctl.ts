import { run } from '../program.ts';
import type { Deps, Prompts } from '../runtime/deps.ts';

export interface RunOptions {
  env?: Record<string, string>;
  /** What is piped in; without it, standard input is an open pipe that nobody writes to. */
  stdin?: string | Uint8Array;
  /** A person at a terminal who answers the prompts in this order. */
  responses?: unknown[];
  /** Whether output goes to a terminal; `answers` imply it. */
  columns?: number;
  fetch?: Deps['fetch'];
  openSocket?: Deps['openSocket'];
  /** Aborts when the person presses Ctrl-C. */
  stop?: AbortSignal;
  /** Told at once of what is written. */
  onWrite?: (name: 'stdout' | 'stderr', text: string) => void;
  /** Settles once somebody has read what was written; at once without it. */
  drained?: () => Promise<void>;
  /** Why standard output cannot be written. */
  problem?: string;
  now?: number;
}

/** Runs hubctl within this process, with nothing of it replaced but what it gets from outside. */
export async function runHubctl(argv: string[], options: RunOptions = {}) {
  const out = { stdout: '', stderr: '' };
  const asked: string[] = [];
  const isTTY = options.responses !== undefined || options.columns !== undefined;
  const sink = (name: 'stdout' | 'stderr') => ({
    isTTY,
    columns: isTTY ? (options.columns ?? 200) : undefined,
    write: (text: string) => {
      out[name] += text;
      options.onWrite?.(name, text);
    },
    problem: name === 'stdout' ? options.problem : undefined,
    drained: () => (name === 'stdout' ? options.drained?.() : undefined) ?? Promise.resolve(),
  });
  const deps: Deps = {
    version: '0.0.0-test',
    hostname: 'test-machine',
    // Texts are compared without colours; a test of colours sets NO_COLOR to nothing.
    env: { NO_COLOR: '1', ...options.env },
    stdin: { isTTY, chunks: () => chunksOf(options.stdin) },
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    openSocket: options.openSocket ?? ((url, headers) => new WebSocket(url, { headers })),
    onStop: (listener) => {
      options.stop?.addEventListener('abort', listener);
      return () => options.stop?.removeEventListener('abort', listener);
    },
    stepBack: () => {},
    clock: { now: () => options.now ?? Date.now() },
    prompts: answering(options.responses ?? [], asked),
  };
  const code = await run(argv, deps);
  return {
    code,
    ...out,
    /** The messages of the prompts that were shown. */
    asked,
    /** Standard output, which must be exactly one JSON document. */
    json: <T = Record<string, unknown>>(): T => JSON.parse(out.stdout),
  };
}

export type Ran = Awaited<ReturnType<typeof runHubctl>>;

/** The error of `--json`. */
export function errorOf(ran: Ran): Record<string, unknown> & { code: string; message: string; exitCode: number } {
  return ran.json<{ error: ReturnType<typeof errorOf> }>().error;
}

async function* chunksOf(stdin: string | Uint8Array | undefined): AsyncIterable<Uint8Array> {
  if (stdin === undefined) throw new Error('Nobody should have read standard input');
  const bytes = typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin;
  // In two pieces, so that a character may be cut in the middle as in a real pipe.
  const middle = Math.floor(bytes.length / 2);
  yield bytes.subarray(0, middle);
  yield bytes.subarray(middle);
}

/** The answer of a person who presses Enter at a choice, where its first entry stands out. */
export const ENTER = Symbol('Enter');

/** Answers in order. A choice is made by its name, several by a list of names; an error is what Ctrl-C throws. */
function answering(responses: unknown[], asked: string[]): Prompts {
  const next = (message: string): unknown => {
    asked.push(message);
    if (asked.length > responses.length) throw new Error(`Nobody answers the prompt "${message}"`);
    const response = responses[asked.length - 1];
    if (response instanceof Error) throw response;
    return response;
  };
  const pick = <T>(choices: { name: string; value: T }[], responded: unknown): T => {
    const name = responded === ENTER ? choices[0]?.name : responded;
    const found = choices.find((choice) => choice.name === name);
    if (!found) throw new Error(`${String(name)} is not among ${choices.map((choice) => choice.name)}`);
    return found.value;
  };
  return {
    text: async (message, check) => {
      const response = next(message) as string;
      const verdict = check?.(response) ?? true;
      if (verdict !== true) throw new Error(`The prompt refuses "${response}": ${verdict}`);
      return response;
    },
    secret: async (message) => next(message) as string,
    choose: async (message, choices) => pick(choices, next(message)),
    chooseSome: async (message, choices) => (next(message) as string[]).map((name) => pick(choices, name)),
    confirm: async (message) => next(message) as boolean,
  };
}
