import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../ops/start-error.ts';
import { adminSocketError, removeStaleSocket, withPrivateSocketMode } from './admin-socket.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-socket-'));
  path = join(folder, 'admin.sock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Leaves a socket behind on which nobody listens, as a server does that is killed. */
async function leaveSocket(): Promise<void> {
  const script = `Bun.serve({ unix: ${JSON.stringify(path)}, fetch: () => new Response() }); process.kill(process.pid, 'SIGKILL');`;
  await Bun.spawn([process.execPath, '-e', script]).exited;
  expect(statSync(path).isSocket()).toBe(true);
}

describe('making way for the admin socket', () => {
  test('needs nothing where nothing is', async () => {
    await removeStaleSocket(path);
  });

  test('removes what a killed server left', async () => {
    await leaveSocket();
    await removeStaleSocket(path);
    expect(existsSync(path)).toBe(false);
  });

  test('leaves a socket alone on which a server answers', async () => {
    const server = Bun.serve({ unix: path, fetch: () => new Response('here') });
    await expect(removeStaleSocket(path)).rejects.toThrow(`Another server answers on the admin socket ${path}`);
    expect(await (await fetch('http://localhost', { unix: path })).text()).toBe('here');
    await server.stop(true);
  });

  test('leaves a file alone that is no socket', async () => {
    writeFileSync(path, 'precious');
    await expect(removeStaleSocket(path)).rejects.toBeInstanceOf(StartError);
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });
});

test('a socket has mode 0600 from its first moment, and other files their usual mode afterwards', async () => {
  const before = process.umask(0o022);
  try {
    const server = withPrivateSocketMode(() => {
      const made = Bun.serve({ unix: path, fetch: () => new Response() });
      expect(statSync(path).mode & 0o777).toBe(0o600);
      return made;
    });
    await server.stop(true);
    expect(process.umask()).toBe(0o022);
    expect(() =>
      withPrivateSocketMode(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(process.umask()).toBe(0o022);
  } finally {
    process.umask(before);
  }
});

test.each(['ENOENT', 'EACCES', 'EROFS', 'ENAMETOOLONG', 'EIO'])(
  'why a socket cannot be made is told with the way out: %s',
  (code) => {
    const { message } = adminSocketError(Object.assign(new Error(), { code }), '/run/hub/admin.sock');
    expect(message).toContain('/run/hub/admin.sock cannot be made: ');
    expect(message).toContain('or set HUB_ADMIN_SOCKET to another path.');
  },
);
