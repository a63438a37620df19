import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { buildProgram, run } from '../src/program.ts';
import { runChild } from '../src/runtime/child-process.ts';
import { Cli } from '../src/runtime/cli.ts';
import type { Deps, Prompts } from '../src/runtime/deps.ts';
import { Output } from '../src/runtime/output.ts';

export interface RunOptions {
  env?: Record<string, string>;
  /** The content of standard input. Without it, reading standard input fails. */
  stdin?: string | Uint8Array;
  /** The responses to the prompts at a terminal, in this order. */
  responses?: unknown[];
  /** The width of the terminal. Without this or `responses`, the output is not a terminal. */
  columns?: number;
  fetch?: Deps['fetch'];
  openSocket?: Deps['openSocket'];
  runChild?: Deps['runChild'];
  /** Aborts when the user presses Ctrl-C. */
  stop?: AbortSignal;
  /** Called with each write to either stream, as it happens. */
  onWrite?: (name: 'stdout' | 'stderr', text: string) => void;
  /** Resolves once the output has been read; by default immediately. */
  drained?: () => Promise<void>;
  /** The write error of standard output. */
  problem?: string;
  now?: number | (() => number);
  /** Called instead of waiting. */
  sleep?: (ms: number) => Promise<unknown>;
  /** Called instead of opening a page in a browser. */
  openPage?: (url: string) => void;
}

/** Runs hubctl in this process. Only its `Deps` are replaced. */
export async function runHubctl(argv: string[], options: RunOptions = {}) {
  const out = { stdout: '', stderr: '' };
  const { now: time } = options;
  const now = typeof time === 'function' ? time : () => time ?? Date.now();
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
    // Tests compare output without colors, and tests of colors set NO_COLOR to an empty value.
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
    runChild: options.runChild ?? runChild,
    lowerPriority: () => {},
    clock: { now, sleep: options.sleep ?? sleep },
    openPage: options.openPage ?? (() => {}),
    prompts: respondingPrompts(options.responses ?? [], asked),
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

/** Returns the commands of hubctl, which cannot run. */
export function parserOnly(): Command {
  const sink = { isTTY: false, columns: undefined, write: () => {} };
  const deps = { version: '0', env: {}, stdout: sink, stderr: sink } as unknown as Deps;
  return buildProgram(new Cli(deps, { json: true, color: false }));
}

/** Returns the commands without subcommands. */
export const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

/** Returns what is written to a terminal of this width, or without one to a pipe. */
export function printedAt(columns: number | undefined, write: (output: Output) => void, color = false): string {
  const written: string[] = [];
  const append = (text: string) => void written.push(text);
  const isTTY = columns !== undefined;
  const sink = { isTTY, columns, write: append, drained: () => Promise.resolve(), problem: undefined };
  write(new Output({ env: {}, stdout: sink, stderr: sink }, { json: false, color }));
  return written.join('');
}

export type Ran = Awaited<ReturnType<typeof runHubctl>>;

/** Returns the error from the `--json` output. */
export function errorOf(ran: Ran): Record<string, unknown> & { code: string; message: string; exitCode: number } {
  return ran.json<{ error: ReturnType<typeof errorOf> }>().error;
}

async function* chunksOf(stdin: string | Uint8Array | undefined): AsyncIterable<Uint8Array> {
  if (stdin === undefined) throw new Error('Unexpected read of standard input');
  const bytes = typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin;
  // Two chunks may split a character, as in a real pipe.
  const middle = Math.floor(bytes.length / 2);
  yield bytes.subarray(0, middle);
  yield bytes.subarray(middle);
}

/**
 * Responds in order. Choices are given by name, several as a list of names. A response that is an error is thrown, as
 * for Ctrl-C.
 */
function respondingPrompts(responses: unknown[], asked: string[]): Prompts {
  const next = (message: string): unknown => {
    asked.push(message);
    if (asked.length > responses.length) throw new Error(`No response to the prompt "${message}"`);
    const response = responses[asked.length - 1];
    if (response instanceof Error) throw response;
    return response;
  };
  const pick = <T>(choices: { name: string; value: T }[], responded: unknown): T => {
    const match = choices.find((choice) => choice.name === responded);
    if (!match) throw new Error(`${String(responded)} is not among ${choices.map((choice) => choice.name)}`);
    return match.value;
  };
  return {
    text: async (message, check) => {
      const response = next(message) as string;
      const verdict = check?.(response) ?? true;
      if (verdict !== true) throw new Error(`The prompt rejects "${response}": ${verdict}`);
      return response;
    },
    secret: async (message) => next(message) as string,
    choose: async (message, choices) => pick(choices, next(message)),
    chooseSome: async (message, choices) => (next(message) as string[]).map((name) => pick(choices, name)),
    confirm: async (message) => next(message) as boolean,
  };
}
