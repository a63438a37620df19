import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What can stand in a `ws+unix:` address as it is; anything else would be escaped, and then not be the path any more. */
const PLAIN_PATH = /^[\w./~%-]+$/;

/** A path to a socket by which a WebSocket can be opened: if need be, a link in a folder that only this user can enter. */
export function socketAlias(path: string): { path: string; remove: () => void } {
  if (PLAIN_PATH.test(path)) return { path, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'hubctl-'));
  const link = join(folder, 'admin.sock');
  symlinkSync(path, link);
  return { path: link, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
