import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerFrame } from '@hub/contract';
import {
  createUser,
  exchange,
  HubServer,
  ManualClockServer,
  openConnection,
  openFiles,
  PacedLoad,
  postRequest,
  problemOfError,
  RequestLoad,
  rawRequest,
  WebSocketByHand,
} from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'hub-testkit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a server keeps its port and its data over a kill, and paced posts are all acknowledged', async () => {
  const server = await new HubServer(join(folder, 'data')).start();
  const hubIds = await server.admin.createHubs(2);
  const keys = await server.admin.issueKeys(hubIds, 4);
  expect(keys.map(({ hubId }) => hubId)).toEqual([...hubIds, ...hubIds]);

  const load = await PacedLoad.start({ port: server.port, keys: keys.map(({ key }) => key), name: 'Paced' });
  await load.fill(20, 100);
  await load.stop();
  expect(load.unexpected).toEqual([]);
  expect(load.acknowledged).toHaveLength(20);
  expect(await server.metric('hub_commit_batch_writes_sum')).toBeGreaterThanOrEqual(20);
  expect(server.residentMiB).toBeGreaterThan(20);
  expect(openFiles(server.pid)).toBeGreaterThan(5);

  const { port } = server;
  await server.restart('SIGKILL');
  expect(server.port).toBe(port);
  const counts = (await server.admin.allKeys()).map(({ postCount }) => postCount);
  expect(counts).toEqual([5, 5, 5, 5]);
  expect(await server.stop()).toBe(0);
  expect(server.complaints).toBe('');
});

test('a server runs with a change to its source, and fails to start if the source has nothing to change', async () => {
  const kit = JSON.stringify(join(import.meta.dir, 'index.ts'));
  const start = async (find: string, name: string): Promise<string> => {
    const change = { file: 'apps/api/src/storage/sqlite/engine/database.ts', find, replace: 'synchronous = OF' };
    const script = `import { changeSource, HubServer } from ${kit};
      changeSource(${JSON.stringify(change)});
      const server = await new HubServer(${JSON.stringify(join(folder, name))}).start();
      console.log(await server.stop());`;
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'pipe' });
    return (await child.stdout.text()) + (await child.stderr.text());
  };
  expect(await start('synchronous = FULL', 'changed')).toBe('0\n');
  expect(await start('synchronous = SOME', 'unchanged')).toContain('does not contain synchronous = SOME');
});

test('a user has a session and a token, and follows a Hub live', async () => {
  const server = await new HubServer(join(folder, 'live')).start();
  const hubIds = await server.admin.createHubs(1);
  const ada = await createUser(server, { name: 'Ada Lovelace', hubIds });
  expect((await ada.send('GET', '/me')).status).toBe(200);
  expect(ada.send('GET', '/keys/key_none')).rejects.toThrow('404');

  const created = Promise.withResolvers<ServerFrame>();
  const wire: WebSocketByHand = new WebSocketByHand(
    { port: server.port, token: ada.token },
    {
      onOpen: () => wire.send(JSON.stringify({ type: 'subscribe', hubId: hubIds[0], after: 0 })),
      onText: (text) => {
        const frame = JSON.parse(text) as ServerFrame;
        if (frame.type === 'subscribed') void ada.send('POST', `/hubs/${hubIds[0]}/messages`, { text: 'Hello' });
        if (frame.type === 'event' && frame.event === 'message.created') created.resolve(frame);
      },
      onClose: (code, problem) => created.reject(new Error(`${code} ${problem}`)),
    },
  );
  expect(await created.promise).toMatchObject({ type: 'event', seq: 2, data: { text: 'Hello' } });
  wire.cut();
  await server.stop();
});

test('a manual clock moves only when told to', async () => {
  const server = await new ManualClockServer(join(folder, 'clock')).start();
  const [hubId = ''] = await server.admin.createHubs(1);
  const { key } = await server.admin.issueKey({ hubId });
  const load = new RequestLoad();
  const requests = Array.from({ length: 61 }, () => ({ request: postRequest('messages', key, 'Hello') }));
  const statuses = async (): Promise<number[]> =>
    (await load.send(server.port, requests)).map(({ response }) => response.status).sort();
  expect(await statuses()).toEqual([...Array(60).fill(201), 403]);
  await server.advance(299_999);
  expect(new Set(await statuses())).toEqual(new Set([403]));
  await server.advance(1);
  expect((await statuses()).filter((status) => status === 201)).toHaveLength(60);
  load.close();
  await server.stop();
});

test('raw connections say when they are over, and errors are checked for the four fields', async () => {
  const server = await new HubServer(join(folder, 'raw')).start();
  const connection = await openConnection(server.port, '127.0.0.7');
  const { status, body } = await connection.send(rawRequest({ path: '/api/v1/hubs', method: 'GET' }));
  expect(problemOfError(status, body, 401)).toBeNull();
  expect(problemOfError(status, body, 403)).toStartWith('401');
  expect(problemOfError(status, body.replace('"path"', '"place"'), 401)).not.toBeNull();
  const malformed = await exchange(server.port, Buffer.from('GET / HTTP/9.9\r\n\r\n'), { closeMs: 2_000 });
  expect(malformed.isClosed).toBe(true);
  expect(connection.isOver).toBe(false);
  await server.kill();
  expect(connection.send('GET / HTTP/1.1\r\n\r\n')).rejects.toThrow('ended');
  expect(connection.isOver).toBe(true);
});
