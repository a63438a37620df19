import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createLedger,
  createUser,
  HubServer,
  inspectDatabase,
  LiveReader,
  noProblems,
  PostLoad,
  until,
} from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'hub-testkit-'));
let server: HubServer;
beforeAll(async () => {
  server = await new HubServer(join(folder, 'data')).start();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('posts of a load are in the ledger, in the database and at a reader whose connection is cut and whose server is killed', async () => {
  const hubIds = await server.admin.createHubs(2);
  const ledger = createLedger(await server.admin.issueKeys(hubIds, 4));
  const { token } = await createUser(server, { name: 'Ada', hubIds });
  const ports = () => [server.port];
  const reader = new LiveReader({ name: 'Ada', token, hubIds, ports, resumption: 'stale' });
  for (const kill of [false, true]) {
    const load = new PostLoad(ledger, server.port);
    expect(await load.untilAcknowledged(5_000)).toBeLessThan(5_000);
    reader.cut(200);
    if (kill) await server.restart('SIGKILL');
    await load.stop();
  }
  const { acknowledged, sent, rejected, unexpected } = ledger;
  expect(sent.size).toBeGreaterThanOrEqual(acknowledged.size);
  expect([...rejected, ...unexpected]).toEqual([]);
  const problems = noProblems();
  inspectDatabase(server.dataDir, ledger, problems);
  expect(problems).toEqual(noProblems());
  expect(await until(10_000, () => [...acknowledged.keys()].every((id) => reader.createdIds.has(id)))).toBe(true);
  expect(reader.problems).toEqual([]);
  expect(reader.counts.connections).toBeGreaterThan(1);
  reader.stop();
});

test('a reader with another epoch reloads after the reset, and one that cannot reload reports it', async () => {
  const hubIds = await server.admin.createHubs(1);
  const { token } = await createUser(server, { name: 'Bob', hubIds });
  const options = { token, hubIds, ports: () => [server.port], resumption: 'foreign' } as const;
  const resets: string[] = [];
  const onReset = async (hubId: string): Promise<void> => void resets.push(hubId);
  const readers = [
    new LiveReader({ ...options, name: 'reloads', onReset }),
    new LiveReader({ ...options, name: 'reports' }),
  ];
  const areFollowing = () => readers.every(({ isFollowing }) => isFollowing);
  expect(await until(5_000, areFollowing)).toBe(true);
  for (const reader of readers) reader.cut();
  expect(await until(5_000, () => readers.every(({ counts }) => counts.resets === 1))).toBe(true);
  expect(resets).toEqual(hubIds);
  expect(readers.map(({ problems }) => problems)).toEqual([[], ['reports: reset to 1']]);
  for (const reader of readers) reader.stop();
});
