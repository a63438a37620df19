#!/usr/bin/env bun
import { readFileSync, readlinkSync, writeSync } from 'node:fs';
import { constants, hostname, setPriority } from 'node:os';
import { isatty } from 'node:tty';
import packageJson from '../package.json' with { type: 'json' };
import { run } from './program.ts';
import type { Sink } from './runtime/deps.ts';
import { EXIT, type ExitCode } from './runtime/exit-codes.ts';
import { terminalPrompts } from './runtime/prompts.ts';
import { proxyFor } from './runtime/proxy-for.ts';
import { errorOf, unwritable } from './runtime/written.ts';

const LAST_WRITE_MS = 500;
/** `O_CLOEXEC` of Linux, as /proc shows it. */
const CLOSE_ON_EXEC = 0o2000000;

const argv = process.argv.slice(2);
let isStopped = false;

// The prompts' library looks at the environment alone.
if (argv.includes('--no-color')) process.env.NO_COLOR = '1';

const stdout = openSink(process.stdout, isClosed(1) ? 'EBADF' : undefined);
const stderr = openSink(process.stderr);

const code = await run(argv, {
  version: packageJson.version,
  hostname: hostname(),
  env: process.env,
  stdin: { isTTY: isatty(0), chunks: () => Bun.stdin.stream() },
  stdout,
  stderr,
  fetch: (url, init) => fetch(url, init),
  openSocket: (url, headers) => {
    const proxy = proxyFor(url, process.env);
    return new WebSocket(url, proxy === undefined ? { headers } : { headers, proxy });
  },
  onStop,
  stepBack: () => setPriority(constants.priority.PRIORITY_LOW),
  clock: { now: () => Date.now() },
  get prompts() {
    return terminalPrompts(process.stdin, process.stderr);
  },
});

// An open input would keep the process; what was written to a pipe may not have left yet. Who stops the program does not
// wait for somebody who has left off reading.
const hasLeft = Promise.all([stdout.drained(), stderr.drained()]);
await (isStopped ? Promise.race([hasLeft, Bun.sleep(LAST_WRITE_MS)]) : hasLeft);
process.exit(code === EXIT.done ? reportError() : code);

function openSink(stream: NodeJS.WriteStream, knownError?: string): Sink & { hasWritten: boolean } {
  // Writes are answered in order, so the last one stands for all. An empty write would be answered before them.
  let lastWrite = Promise.resolve();
  let problem = knownError;
  let hasWritten = false;
  const failed = (error: NodeJS.ErrnoException): void => {
    problem ??= error.code ?? error.message;
  };
  const write = (text: string) => {
    hasWritten = true;
    lastWrite = new Promise((resolve) => {
      stream.write(text, (error) => {
        if (error) failed(error);
        resolve();
      });
    });
  };
  // Without a listener it would end the program with a stack trace.
  stream.on('error', failed);
  return {
    isTTY: stream.isTTY === true,
    // A window can be made wider or narrower meanwhile.
    get columns() {
      return stream.columns;
    },
    write,
    drained: () => lastWrite,
    get problem() {
      return problem;
    },
    get hasWritten() {
      return hasWritten;
    },
  };
}

function onStop(listener: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = (): void => {
    isStopped = true;
    listener();
  };
  for (const signal of signals) process.on(signal, stop);
  process.stdout.on('error', stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
    process.stdout.off('error', stop);
  };
}

/** Half a list must not pass for one. */
function reportError(): ExitCode {
  const problem = stdout.hasWritten ? errorOf(stdout) : undefined;
  if (problem === undefined) return EXIT.done;
  const { message, exitCode } = unwritable(problem);
  // The program ends before anything that is not written at once.
  try {
    writeSync(2, `error: ${message}\n`);
  } catch {
    // Nobody can be told.
  }
  return exitCode;
}

/**
 * Whether a descriptor was closed when the program was started. Bun opens /dev/null in its place, into which all would
 * vanish; it shows, for what was handed down by another program is never to be closed on `exec`. Only Linux tells.
 */
function isClosed(descriptor: number): boolean {
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== '/dev/null') return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return false;
  }
}
