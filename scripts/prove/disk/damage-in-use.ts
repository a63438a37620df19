import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Proof } from '@hub/testkit';
import { problemOfError, startHubctl } from '@hub/testkit';
import { overwrite, PAGE_BYTES } from './damage.ts';
import type { Subject } from './subject.ts';

const TURNS = 3;

/**
 * Damages the database of a server that has just started. The server must still respond, and must not produce a backup
 * of the damaged database. No server is running before or afterwards.
 */
export async function harmInUse({ check, folder }: Proof, subject: Subject): Promise<void> {
  const error = await subject.start();
  if (error !== null) throw new Error(error);
  const file = join(subject.dataDir, 'hub.db');
  overwrite(file, PAGE_BYTES, statSync(file).size - PAGE_BYTES);
  const { rejected, problems } = await askForEverything(subject);
  const shown = problems.slice(0, 3).join('; ');
  check('damage in use: what cannot be read or written is 503 with the four fields', problems.length === 0, shown);
  check('damage in use: the damage was met', rejected > 0);
  check('damage in use: the server goes on', (await fetch(`${subject.running.url}/healthz`)).ok);

  const backup = join(folder, 'damaged-backup.db');
  const { code, stdout } = await startHubctl(subject.dataDir, ['backup', backup]).ended;
  const isRejected = code === 1 && stdout.includes('The database is damaged') && !existsSync(backup);
  check(
    'damage in use: a backup fails with the reason and leaves no file',
    isRejected,
    isRejected ? '' : stdout.slice(0, 300),
  );

  await subject.stop();
  const again = (await subject.start()) ?? 'it serves';
  const isPlain = /hub\.db is damaged/.test(again);
  check('damage in use: the next start refuses it', isPlain, isPlain ? '' : again);
}

async function askForEverything({ running, team, signIn }: Subject): Promise<{ rejected: number; problems: string[] }> {
  const { admin, url } = running;
  const { key, hubId } = team.spareKey;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const paths = [
    '/hubs',
    '/keys',
    `/hubs/${hubId}/messages`,
    `/hubs/${hubId}/todos`,
    '/people',
    '/audit',
    '/search?q=Post',
  ];
  const asks: (() => Promise<Response>)[] = [
    ...paths.map((path) => () => admin.raw('GET', path)),
    () => admin.raw('POST', '/hubs', { name: 'After the damage' }),
    signIn,
    () => fetch(`${url}/api/public/v1/messages`, { method: 'POST', headers, body: '{"text":"After the damage"}' }),
    () => fetch(`${url}/readyz`),
  ];
  const problems: string[] = [];
  let rejected = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const ask of asks) {
      const response = await ask();
      if (response.ok) continue;
      rejected += 1;
      const problem = problemOfError(response.status, await response.text(), 503);
      if (problem) problems.push(problem);
    }
  }
  return { rejected, problems };
}
