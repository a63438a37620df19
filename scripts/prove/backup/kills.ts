import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startHubctl } from '@hub/testkit';

export const KILLS = ['hubctl is killed', 'the server is killed', 'the connection is cut'] as const;

const LET_GO_MS = 20_000;
const AGAIN_MS = 50;

export interface KillDeps {
  dataDir: string;
  /** The folder in which the files of this attempt are created. */
  folder: string;
  /** The approximate duration of a backup. */
  backupMs: number;
  killServer(): Promise<unknown>;
  startServer(): Promise<void>;
}

/** Kills a backup at a random moment. Returns whether it had already finished, and the problems found afterwards. */
export async function killMidway(kind: (typeof KILLS)[number], deps: KillDeps) {
  mkdirSync(deps.folder);
  const file = join(deps.folder, 'hub.db');
  const momentMs = Math.random() * deps.backupMs;
  const problems: string[] = [];
  if (kind === 'the connection is cut') {
    await cutConnection(join(deps.dataDir, 'admin.sock'), momentMs);
  } else {
    const running = startHubctl(deps.dataDir, ['backup', file]);
    await Bun.sleep(momentMs);
    if (kind === 'hubctl is killed') kill(running.pid);
    else await deps.killServer();
    const { code } = await running.ended;
    if (code === 0 && !existsSync(file)) problems.push('hubctl ended with 0 and made no file');
    if (kind === 'the server is killed') {
      await deps.startServer();
      if (code !== 0 && readdirSync(deps.folder).length > 0) problems.push(`hubctl left ${readdirSync(deps.folder)}`);
    }
  }
  const isThere = existsSync(file);
  if (isThere && !isWhole(file)) problems.push('a part of a backup has the name of a whole one');
  await nextBackup(deps.dataDir, join(deps.folder, 'next.db'));
  const left = readdirSync(deps.folder).filter((name) => !['hub.db', 'next.db'].includes(name));
  left.push(...readdirSync(deps.dataDir).filter((name) => name.includes('unfinished')));
  if (left.length > 0) problems.push(`left over: ${left}`);
  rmSync(deps.folder, { recursive: true });
  return { isThere, momentMs, problems };
}

/** Waits until the server has finished copying for the killed backup, since the copy cannot be interrupted. */
async function nextBackup(dataDir: string, file: string): Promise<void> {
  for (const deadline = performance.now() + LET_GO_MS; ; await Bun.sleep(AGAIN_MS)) {
    const { code, stdout } = await startHubctl(dataDir, ['backup', file]).ended;
    if (code === 0) return;
    const isTaken = stdout.includes('Another backup is in progress');
    if (!isTaken || performance.now() > deadline) throw new Error(`The next backup ended with ${code}: ${stdout}`);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The backup had already finished.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function cutConnection(socketPath: string, momentMs: number): Promise<void> {
  const socket = connect(socketPath);
  socket.on('error', () => {});
  socket.resume();
  socket.write('POST /api/v1/backups HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
  await Bun.sleep(momentMs);
  socket.destroy();
}

function isWhole(file: string): boolean {
  try {
    using database = new Database(file, { readonly: true });
    return database.query('PRAGMA integrity_check').values().join() === 'ok';
  } catch {
    return false;
  }
}
