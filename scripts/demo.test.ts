import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hub, Item } from '../packages/contract/src/index.ts';

const DEMO = join(import.meta.dir, 'demo.ts');

/** Where the demo makes its temporary folder. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-demo-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function startDemo(flags: string[], env: Record<string, string> = {}) {
  const demo = Bun.spawn([process.execPath, '--no-env-file', DEMO, ...flags], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const said = async (words: RegExp): Promise<string[]> => {
    const reader = demo.stdout.getReader();
    const decoder = new TextDecoder();
    for (let text = ''; ; ) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`It ended: ${text}${await new Response(demo.stderr).text()}`);
      text += decoder.decode(value, { stream: true });
      const found = words.exec(text);
      if (found) {
        reader.releaseLock();
        return [...found];
      }
    }
  };
  return { demo, said };
}

test('what it prints lets one in, the workspace is lively, and nothing is left of it', async () => {
  const { demo, said } = startDemo(['--quiet']);
  const [, url = '', email = '', password = ''] = await said(
    /is at (\S+)[\s\S]*?\n {2}(\S+@\S+) +(\S.*?) {2,}[\s\S]*Ctrl-C/,
  );
  const entered = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  expect(entered.status).toBe(201);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const read = async <T>(path: string) =>
    (await (await fetch(`${url}/api/v1${path}`, { headers: { cookie } })).json()) as { items: T[] };

  const hubs = (await read<Hub>('/hubs')).items;
  expect(hubs.length).toBeGreaterThan(4);
  expect(hubs.some(({ unreadCount }) => (unreadCount ?? 0) > 0)).toBeTrue();
  const stream = (await read<Item>('/stream?limit=100')).items;
  expect(new Set(stream.map(({ kind }) => kind))).toEqual(new Set(['message', 'note', 'todo']));
  expect((await read<Item>('/todos?assigneeId=me&status=open')).items.length).toBeGreaterThan(2);

  demo.kill('SIGINT');
  expect(await demo.exited).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
}, 60_000);

test('it listens where HUB_HOST and HUB_PORT say, and ends in order when its server was killed', async () => {
  const free = Bun.serve({ hostname: '127.0.0.2', port: 0, fetch: () => new Response() });
  const port = String(free.port);
  await free.stop(true);
  const { demo, said } = startDemo(['--quiet'], { HUB_HOST: '127.0.0.2', HUB_PORT: port });
  const [, url] = await said(/is at (\S+)[\s\S]*Ctrl-C/);
  expect(url).toBe(`http://127.0.0.2:${port}`);

  const children = readFileSync(`/proc/${demo.pid}/task/${demo.pid}/children`, 'utf8');
  process.kill(Number.parseInt(children, 10), 'SIGKILL');
  expect(await demo.exited).toBe(1);
  const notified = await new Response(demo.stderr).text();
  expect(notified).toStartWith('The server ended:');
  expect(notified).not.toContain('did not come about');
  expect(readdirSync(folder)).toEqual([]);
}, 60_000);

test('a folder that holds something is left alone', async () => {
  const { demo } = startDemo(['--keep', import.meta.dir]);
  expect(await demo.exited).toBe(1);
  expect(await new Response(demo.stderr).text()).toContain('is not empty');
});
