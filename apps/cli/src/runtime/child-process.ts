import { type ChildProcessByStdio, type SpawnOptionsWithStdioTuple, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { fileReason } from './errors.ts';

/** How a command ended. */
export interface ChildEnd {
  /** The exit code as shells report it: 128 and the number of a signal, 127 or 126 if it could not be started. */
  code: number;
  signal: NodeJS.Signals | null;
  /** Why the command could not be started, as the end of a sentence. */
  problem?: string;
}

/** A terminal sends these to all its processes itself. Twice, they often mean "stop without cleaning up". */
const OF_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
const PASSED_ON: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', ...OF_TERMINAL];

/** Processes that a command leaves in the background keep its output open, so its end is where no more arrives. */
const QUIET_MS = 100;
const MAX_DRAIN_MS = 2_000;

/**
 * Runs a command with the standard input, environment and signals of this process, and passes its output through
 * unchanged. `onOutput` gets each chunk, too.
 */
export async function runChild(command: readonly string[], onOutput: (chunk: Uint8Array) => void): Promise<ChildEnd> {
  const inTerminal = hasTerminal();
  const early: NodeJS.Signals[] = [];
  let pass = (signal: NodeJS.Signals): unknown => early.push(signal);
  const listeners = PASSED_ON.map((signal) => {
    const listener = () => {
      if (!inTerminal || !OF_TERMINAL.includes(signal)) pass(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  let child: Child;
  try {
    child = start(command);
  } catch (error) {
    for (const remove of listeners) remove();
    return notStarted(error as NodeJS.ErrnoException);
  }
  pass = (signal) => child.kill(signal);
  for (const signal of early) pass(signal);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const outputs = [connect(child.stdout, process.stdout, onOutput), connect(child.stderr, process.stderr, onOutput)];
  const end = await new Promise<ChildEnd>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(notStarted(error)));
    child.once('exit', (code, signal) =>
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal }),
    );
  });
  for (const remove of listeners) remove();
  if (end.problem === undefined) await Promise.race([closed, quiet(child.stdout, child.stderr)]);
  await Promise.all(outputs.map((disconnect) => disconnect()));
  return end;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Starts a command. Throws or emits `error` if it cannot be started. A script that does not name its interpreter is run
 * by the shell, as shells do (POSIX, Command Search and Execution): Node does that by itself, Bun does not.
 */
function start([command = '', ...args]: readonly string[]): Child {
  const options: SpawnOptionsWithStdioTuple<'inherit', 'pipe', 'pipe'> = { stdio: ['inherit', 'pipe', 'pipe'] };
  try {
    return spawn(command, args, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOEXEC') throw error;
    return spawn('/bin/sh', ['-c', 'exec "$0" "$@"', command, ...args], options);
  }
}

function notStarted(error: NodeJS.ErrnoException): ChildEnd {
  const isMissing = error.code === 'ENOENT';
  const problem = isMissing ? 'there is no such command' : fileReason(error);
  return { code: isMissing ? 127 : 126, signal: null, problem };
}

/** Opens a page with the program of the desktop. It is fine if there is none: the address is also shown. */
export function openPage(url: string): void {
  const [command = '', ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/**
 * Passes an output on, one chunk at a time, and returns what waits until all of it is written. If its reader has gone, the
 * command gets the same error when it writes as without hubctl.
 */
function connect(from: Readable, to: NodeJS.WriteStream, onOutput: (chunk: Uint8Array) => void): () => Promise<void> {
  let writing = Promise.resolve();
  const stop = (): void => {
    from.destroy();
  };
  to.once('error', stop);
  from.on('error', () => {});
  from.on('data', (chunk: Uint8Array) => {
    onOutput(chunk);
    from.pause();
    writing = new Promise((resolve) => {
      to.write(chunk, () => {
        from.resume();
        resolve();
      });
    });
  });
  return async () => {
    stop();
    await writing;
    to.off('error', stop);
  };
}

/** Resolves when nothing has arrived for a moment, although the readers of the output are not slow. */
async function quiet(...streams: readonly Readable[]): Promise<void> {
  let [isQuiet, elapsedMs] = [false, 0];
  const arrived = (): void => {
    isQuiet = false;
  };
  for (const stream of streams) stream.on('data', arrived);
  while (!isQuiet && elapsedMs < MAX_DRAIN_MS) {
    isQuiet = true;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    if (streams.some((stream) => stream.isPaused())) isQuiet = false;
    else elapsedMs += QUIET_MS;
  }
}

/** Returns whether this process can get signals from the keys of a terminal. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync(process.platform === 'win32' ? 'CONIN$' : '/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
