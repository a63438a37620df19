import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../platform/errors.ts';
import { adminSocketError, removeStaleSocket, withPrivateSocketMode } from './admin-socket.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-socket-'));
  path = join(folder, 'admin.sock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Leaves behind a socket that has no listener, as a killed server does. */
async function leaveSocket(): Promise<void> {
  const script = `Bun.serve({ unix: ${JSON.stringify(path)}, fetch: () => new Response() }); process.kill(process.pid, 'SIGKILL');`;
  await Bun.spawn([process.execPath, '-e', script]).exited;
  expect(statSync(path).isSocket()).toBe(true);
}

describe('removing a stale admin socket', () => {
  test('does nothing when the path is free', async () => {
    await removeStaleSocket(path);
  });

  test('removes a socket that a killed server left behind', async () => {
    await leaveSocket();
    await removeStaleSocket(path);
    expect(existsSync(path)).toBe(false);
  });

  test('keeps a socket that a server is still listening on', async () => {
    const server = Bun.serve({ unix: path, fetch: () => new Response('here') });
    await expect(removeStaleSocket(path)).rejects.toThrow(
      `Another server is already listening on the admin socket ${path}`,
    );
    expect(await (await fetch('http://localhost', { unix: path })).text()).toBe('here');
    await server.stop(true);
  });

  test('keeps a file that is not a socket', async () => {
    writeFileSync(path, 'precious');
    await expect(removeStaleSocket(path)).rejects.toBeInstanceOf(StartError);
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });
});

test('a socket is created with mode 0600, and files created later get the usual mode', async () => {
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
  'the error for a socket that cannot be created says what to do: %s',
  (code) => {
    const { message } = adminSocketError(Object.assign(new Error(), { code }), '/run/hub/admin.sock');
    expect(message).toStartWith('Cannot create the admin socket /run/hub/admin.sock: ');
    expect(message).toContain('or set HUB_ADMIN_SOCKET to another path.');
  },
);
