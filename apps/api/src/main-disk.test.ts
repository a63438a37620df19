import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HubProcess, spawnHub } from './testing/hub-process.ts';

/** Of its limit the kernel then tells a process by an error and not by a signal. */
const UNDER = ['sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh'];

/** From here on the disk takes nothing from this process, as if it were full. Needs no rights, unlike a small disk. */
function fillDiskOf({ pid }: HubProcess): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), '--fsize=0:'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
function makeRoomFor({ pid }: HubProcess): void {
  spawnSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:']);
}
const createHub = ({ adminSocket }: HubProcess, name: string): Promise<Response> =>
  fetch('http://localhost/api/v1/hubs', {
    unix: adminSocket,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
const hubNames = async ({ adminSocket }: HubProcess): Promise<string[]> => {
  const response = await fetch('http://localhost/api/v1/hubs', { unix: adminSocket });
  return ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
};

test('a server whose disk takes nothing refuses to write, goes on reading, recovers, and can be stopped meanwhile', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-disk-'));
  await using first = spawnHub({ dataDir, under: UNDER });
  await first.url();
  expect((await createHub(first, 'Before')).status).toBe(201);

  fillDiskOf(first);
  const rejected = await createHub(first, 'Meanwhile');
  expect(rejected.status).toBe(503);
  expect(await rejected.json()).toEqual({
    statusCode: 503,
    message: 'The server cannot use its disk at the moment. Nothing was stored; try again later.',
    timestamp: expect.any(String),
    path: '/api/v1/hubs',
  });
  expect(await hubNames(first)).toEqual(['Before']);
  makeRoomFor(first);
  expect((await createHub(first, 'After')).status).toBe(201);

  fillDiskOf(first);
  first.kill('SIGTERM');
  expect([await first.ended(), first.stderr()]).toEqual([0, expect.not.stringContaining('failed')]);
  await using second = spawnHub({ dataDir });
  await second.url();
  expect(await hubNames(second)).toEqual(['After', 'Before']);
  second.kill('SIGKILL');
  await second.ended();
  rmSync(dataDir, { recursive: true });
});
