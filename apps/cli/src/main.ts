#!/usr/bin/env bun
import { isatty } from 'node:tty';
import packageJson from '../package.json' with { type: 'json' };
import { run } from './program.ts';
import type { Sink } from './runtime/deps.ts';
import { terminalPrompts } from './runtime/prompts.ts';

const argv = process.argv.slice(2);

// The prompts' library looks at the environment alone.
if (argv.includes('--no-color')) process.env.NO_COLOR = '1';

// `hubctl keys list | head -1` closes the pipe early; that is no fault.
process.stdout.on('error', endQuietlyOnBrokenPipe);
process.stderr.on('error', endQuietlyOnBrokenPipe);

const code = await run(argv, {
  version: packageJson.version,
  env: process.env,
  stdin: { isTTY: isatty(0), chunks: () => Bun.stdin.stream() },
  stdout: sink(process.stdout),
  stderr: sink(process.stderr),
  fetch: (url, init) => fetch(url, init),
  clock: { now: () => Date.now() },
  get prompts() {
    return terminalPrompts(process.stdin, process.stderr);
  },
});

// What was written to a pipe may not have left yet, and an open input would keep the process.
await Promise.all([drained(process.stdout), drained(process.stderr)]);
process.exit(code);

function sink(stream: NodeJS.WriteStream): Sink {
  return {
    isTTY: stream.isTTY === true,
    columns: stream.columns,
    write: (text) => void stream.write(text),
  };
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

function endQuietlyOnBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
