import { writeSync } from 'node:fs';
import { constants, hostname, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { proxyFor } from '@hub/contract/proxy';
import packageJson from '../package.json' with { type: 'json' };
import { run } from './program.ts';
import { EXIT, type ExitCode } from './runtime/errors.ts';
import { errorOf, unwritable } from './runtime/output.ts';
import { platform } from './runtime/platform.ts';
import { terminalPrompts } from './runtime/prompts.ts';

declare const HUB_VERSION: string | undefined;

const LAST_WRITE_MS = 500;

/** Signals that end a command without a core dump. Shells stop loops if a command ended by one of them. */
const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'];

const argv = process.argv.slice(2);
let isStopped = false;
let childSignal: NodeJS.Signals | undefined;

// The prompt library reads this setting only from the environment.
if (argv.includes('--no-color')) process.env.NO_COLOR = '1';

const stdout = openSink(process.stdout, platform.isClosed(1) ? 'EBADF' : undefined);
const stderr = openSink(process.stderr);

const code = await run(argv, {
  // Executables know the commit that they were built from, too (`scripts/build-version.ts`).
  version: typeof HUB_VERSION === 'undefined' ? packageJson.version : HUB_VERSION,
  hostname: hostname(),
  env: process.env,
  stdin: { isTTY: isatty(0), chunks: () => platform.readStdin() },
  stdout,
  stderr,
  fetch: (url, init) =>
    platform.fetch(url, init, init.unix === undefined ? proxyFor(url, process.env)?.url : undefined),
  openSocket: (url, headers) => platform.openSocket(url, headers, proxyFor(url, process.env)?.url),
  onStop,
  runChild: async (childArgv, onOutput) => {
    const end = await (await import('./runtime/child-process.ts')).runChild(childArgv, onOutput);
    if (end.signal !== null && ENDING.includes(end.signal)) childSignal = end.signal;
    return end;
  },
  openPage: (url) => void import('./runtime/child-process.ts').then(({ openPage }) => openPage(url)),
  lowerPriority: () => setPriority(constants.priority.PRIORITY_LOW),
  clock: { now: () => Date.now(), sleep },
  get prompts() {
    return terminalPrompts(process.stdin, process.stderr);
  },
});

// Exit explicitly, since an open input would keep the process alive, but only when all output has been written. After a
// signal, do not wait for a reader that has stopped reading.
const drained = Promise.all([stdout.drained(), stderr.drained()]);
await (isStopped ? Promise.race([drained, sleep(LAST_WRITE_MS)]) : drained);
if (childSignal !== undefined) process.kill(process.pid, childSignal);
process.exit(code === EXIT.done ? reportError() : code);

function openSink(stream: NodeJS.WriteStream, problem?: string) {
  // Writes complete in order, so waiting for the last one is enough. An empty write would complete before earlier ones.
  let lastWrite = Promise.resolve();
  const sink = {
    isTTY: stream.isTTY === true,
    // The window can be resized while the program runs. Some programs that emulate a terminal report 0.
    get columns() {
      return stream.columns || undefined;
    },
    problem,
    hasWritten: false,
    write: (text: string) => {
      sink.hasWritten = true;
      lastWrite = new Promise((resolve) => {
        stream.write(text, (error) => {
          if (error) failed(error);
          resolve();
        });
      });
    },
    drained: () => lastWrite,
  };
  const failed = (error: NodeJS.ErrnoException): void => {
    sink.problem ??= error.code ?? error.message;
  };
  // Without a listener, an error would end the program with a stack trace.
  stream.on('error', failed);
  return sink;
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

/** Reports a failed write, so that partial output is not taken for complete output. */
function reportError(): ExitCode {
  const problem = stdout.hasWritten ? errorOf(stdout) : undefined;
  if (problem === undefined) return EXIT.done;
  const { message, exitCode } = unwritable(problem);
  // Write synchronously, since the program ends right after this.
  try {
    writeSync(2, `error: ${message}\n`);
  } catch {
    // There is no other place to report it.
  }
  return exitCode;
}
