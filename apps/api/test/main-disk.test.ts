import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, spawnServer } from '@hub/testkit/server-process';

/** With SIGXFSZ ignored, a process at its file size limit gets an error instead of the signal. */
const UNDER = ['sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh'];

/** Makes all further writes of this process fail, as on a full disk. Unlike a small disk, this needs no privileges. */
function fillDiskOf({ pid }: ServerProcess): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), '--fsize=0:'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
function makeRoomFor({ pid }: ServerProcess): void {
  spawnSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:']);
}
const createHub = ({ admin }: ServerProcess, name: string): Promise<Response> => admin.raw('POST', '/hubs', { name });
const hubNames = async ({ admin }: ServerProcess): Promise<string[]> =>
  (await admin.listHubs()).items.map(({ name }) => name);

test('a server with a full disk rejects writes, serves reads and can be stopped, and recovers once there is room', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-disk-'));
  await using first = spawnServer({ dataDir, under: UNDER });
  await first.serving();
  expect((await createHub(first, 'Before')).status).toBe(201);

  fillDiskOf(first);
  const rejected = await createHub(first, 'Meanwhile');
  expect(rejected.status).toBe(503);
  expect(await rejected.json()).toEqual({
    statusCode: 503,
    message: 'The server cannot use its database at the moment. Nothing was stored; try again later.',
    timestamp: expect.any(String),
    path: '/api/v1/hubs',
  });
  expect(await hubNames(first)).toEqual(['Before']);
  makeRoomFor(first);
  expect((await createHub(first, 'After')).status).toBe(201);

  fillDiskOf(first);
  first.kill('SIGTERM');
  expect([await first.ended(), first.stderr()]).toEqual([0, expect.not.stringContaining('failed')]);
  await using second = spawnServer({ dataDir });
  await second.serving();
  expect(await hubNames(second)).toEqual(['After', 'Before']);
  second.kill('SIGKILL');
  await second.ended();
  rmSync(dataDir, { recursive: true });
});
