import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

function startDemo(...flags: string[]) {
  const demo = Bun.spawn([process.execPath, '--no-env-file', DEMO, ...flags], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder },
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
  const { demo, said } = startDemo('--quiet');
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

test('a folder that holds something is left alone', async () => {
  const { demo } = startDemo('--keep', import.meta.dir);
  expect(await demo.exited).toBe(1);
  expect(await new Response(demo.stderr).text()).toContain('is not empty');
});
