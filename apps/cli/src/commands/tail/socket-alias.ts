import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Paths that a `ws+unix:` URL can contain as is. Other characters would be escaped, which changes the path. */
const PLAIN_PATH = /^[\w./~%-]+$/;

/** Returns a path to a socket for a `ws+unix:` URL: if needed, a link in a directory that only this user can enter. */
export function socketAlias(path: string): { path: string; remove: () => void } {
  if (PLAIN_PATH.test(path)) return { path, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'hubctl-'));
  const link = join(folder, 'admin.sock');
  symlinkSync(path, link);
  return { path: link, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
