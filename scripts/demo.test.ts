import { afterAll, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Hub, Item } from '@hub/contract';
import { freePort } from '@hub/testkit/server';
import { testFolder } from '@hub/testkit/test-folder';

const DEMO = join(import.meta.dir, 'demo.ts');

/** The demo's TMPDIR. */
const folder = testFolder('hub-demo-test-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function startDemo(flags: string[], env: Record<string, string> = {}) {
  const demo = Bun.spawn([process.execPath, '--no-env-file', DEMO, ...flags], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const waitForOutput = async (pattern: RegExp): Promise<string[]> => {
    const reader = demo.stdout.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ; ) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`It exited: ${text}${await demo.stderr.text()}`);
      text += value;
      const match = pattern.exec(text);
      if (match) return [...match];
    }
  };
  return { demo, waitForOutput };
}

test('listens on HUB_HOST and HUB_PORT, prints working credentials, fills the workspace, and removes its data at the end', async () => {
  const port = String(freePort());
  const { demo, waitForOutput } = startDemo(['--quiet'], { HUB_HOST: '127.0.0.2', HUB_PORT: port });
  const [, url = '', email = '', password = ''] = await waitForOutput(
    /is running at (\S+)[\s\S]*?\n {2}(\S+@\S+) +(\S.*?) {2,}[\s\S]*Ctrl-C/,
  );
  expect(url).toBe(`http://127.0.0.2:${port}`);
  const signIn = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  expect(signIn.status).toBe(201);
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
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
}, 180_000);

test('exits with 1 when the --keep folder is not empty', async () => {
  const { demo } = startDemo(['--keep', import.meta.dir]);
  expect(await demo.exited).toBe(1);
  expect(await demo.stderr.text()).toContain('is not empty');
});
