#!/usr/bin/env bun
import { hostname } from 'node:os';
import { isatty } from 'node:tty';
import packageJson from '../package.json' with { type: 'json' };
import { run } from './program.ts';
import type { Sink } from './runtime/deps.ts';
import { terminalPrompts } from './runtime/prompts.ts';
import { proxyFor } from './runtime/proxy-for.ts';

const LAST_WRITE_MS = 500;

const argv = process.argv.slice(2);
let isStopped = false;

// The prompts' library looks at the environment alone.
if (argv.includes('--no-color')) process.env.NO_COLOR = '1';

// `hubctl keys list | head -1` closes the pipe early; that is no fault.
process.stdout.on('error', forgiveBrokenPipe);
process.stderr.on('error', forgiveBrokenPipe);

const stdout = openSink(process.stdout);
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
  clock: { now: () => Date.now() },
  get prompts() {
    return terminalPrompts(process.stdin, process.stderr);
  },
});

// An open input would keep the process; what was written to a pipe may not have left yet. Who stops the program does not
// wait for somebody who has left off reading.
const hasLeft = Promise.all([stdout.drained(), stderr.drained()]);
await (isStopped ? Promise.race([hasLeft, Bun.sleep(LAST_WRITE_MS)]) : hasLeft);
process.exit(code);

function openSink(stream: NodeJS.WriteStream): Sink {
  // Writes are answered in order, so the last one stands for all. An empty write would be answered before them.
  let lastWrite = Promise.resolve();
  const write = (text: string) => {
    lastWrite = new Promise((resolve) => stream.write(text, () => resolve()));
  };
  return {
    isTTY: stream.isTTY === true,
    // A window can be made wider or narrower meanwhile.
    get columns() {
      return stream.columns;
    },
    write,
    drained: () => lastWrite,
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

function forgiveBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
