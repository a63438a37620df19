import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@hub/testkit/test-folder';
import { type AdminClient, adminClient } from './admin-client.ts';

const MAIN = join(import.meta.dir, '../../src/main.ts');

export interface LogRecord {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface HubProcess extends AsyncDisposable {
  readonly dataDir: string;
  readonly adminSocket: string;
  /** Uses the workspace API over the admin socket. */
  readonly admin: AdminClient;
  readonly pid: number;
  /** Resolves with the first log record with this message, past or future; rejects if the process ends without one. */
  logged(message: string): Promise<LogRecord>;
  /** The URL of the server, once it is ready. */
  url(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, once the process has ended and all of its output has been read. */
  ended(): Promise<number>;
  /** The standard error of the process, as text. */
  stderr(): string;
  stdout(): string;
}

export interface SpawnOptions {
  readonly env?: Record<string, string>;
  /** The data folder of an earlier process; by default a new one, which is removed at the end. */
  readonly dataDir?: string;
  /** A command that prepares the environment and then executes the program. */
  readonly under?: readonly string[];
}

/** Starts the real program in its own process on a free port. */
export function spawnHub({ env = {}, dataDir, under = [] }: SpawnOptions = {}): HubProcess {
  const folder = dataDir ?? testFolder('hub-process-');
  const child = Bun.spawn([...under, process.execPath, '--no-env-file', MAIN], {
    env: { PATH: process.env.PATH ?? '', HUB_PORT: '0', HUB_DATA_DIR: folder, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const output = { stdout: '', stderr: '' };
  const records: LogRecord[] = [];
  let waiting: { message: string; resolve: (record: LogRecord) => void; reject: (error: Error) => void }[] = [];

  const look = (): void => {
    waiting = waiting.filter(({ message, resolve }) => {
      const found = records.find((record) => record.msg === message);
      if (found) resolve(found);
      return !found;
    });
  };
  const read = async (name: 'stdout' | 'stderr'): Promise<void> => {
    const decoder = new TextDecoder();
    let line = '';
    for await (const chunk of child[name]) {
      const text = decoder.decode(chunk, { stream: true });
      output[name] += text;
      if (name === 'stderr') continue;
      const lines = (line + text).split('\n');
      line = lines.pop() ?? '';
      records.push(...lines.map((each) => JSON.parse(each) as LogRecord));
      look();
    }
  };
  const over = Promise.all([read('stdout'), read('stderr'), child.exited]).then(() => {
    for (const { message, reject } of waiting) {
      reject(new Error(`The process ended before it logged "${message}":\n${output.stderr}`));
    }
    waiting = [];
    return child.exitCode ?? -1;
  });

  const logged = (message: string): Promise<LogRecord> =>
    new Promise((resolve, reject) => {
      waiting.push({ message, resolve, reject });
      look();
    });

  const adminSocket = join(folder, 'admin.sock');
  return {
    dataDir: folder,
    adminSocket,
    admin: adminClient(adminSocket),
    pid: child.pid,
    logged,
    url: async () => String((await logged('Serving')).localUrl),
    kill: (signal) => child.kill(signal),
    ended: () => over,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await over;
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
