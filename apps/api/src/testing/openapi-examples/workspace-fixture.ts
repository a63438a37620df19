import type { IssuedLink, Me } from '@hub/contract';
import type { TestHub } from '../start-test-hub.ts';
import type { Ask, ExampleRecorder } from './example-recorder.ts';

/** The owner of the workspace in the scenario, and its first Hub. */
export interface Owner {
  readonly ada: Ask;
  readonly adaId: string;
  readonly hubId: string;
}

export const ADA = { email: 'ada@example.org', name: 'Ada Lovelace', password: 'correct horse battery staple' };
export const LAPTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
export const PHONE = 'Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';

/** Returns the part of a link after the `#`. */
export function secretOf({ link }: { link: string }): string {
  return new URL(link).hash.slice(1);
}

export async function setUpWorkspace(recorder: ExampleRecorder): Promise<Owner> {
  const local = recorder.localAdmin();
  const ada = recorder.browser(LAPTOP);
  await ada('showServer', { instead: { version: '0.1.0' } });
  const setUp = await local<IssuedLink>('createSetupLink');
  const { id: adaId } = await ada<Me>('redeemLink', {
    body: { token: secretOf(setUp), ...ADA, hubName: 'Releases', workspaceName: 'Example Ltd' },
    name: 'setup',
    summary: 'Set up the workspace',
  });
  await ada('changeWorkspace', { body: { botName: 'Robot', membersManageKeys: true, longestKeyLifetimeDays: 365 } });
  await ada('showWorkspace');
  const { items } = await ada<{ items: { id: string }[] }>('listHubs', { query: { limit: 20 } });
  const hubId = items[0]?.id;
  if (hubId === undefined) throw new Error('The setup created no Hub');
  return { ada, adaId, hubId };
}

export async function recordActivity(hub: TestHub, recorder: ExampleRecorder, { ada, hubId }: Owner): Promise<void> {
  await ada('listAuditEntries', { query: { hubId, limit: 3 } });
  const local = recorder.localAdmin();
  const backup = await hub.admin.raw('POST', '/backups');
  await backup.bytes();
  const backupId = backup.headers.get('hub-backup-id') ?? '';
  // These values depend on the release, the machine, and the page layout of SQLite.
  const file = { bytes: 385_024, sha256: '44aff4aaacb5f03052567560823c33e995848cfe51791c7d5fbbc417c15a6c38' };
  const confirmed = await local('confirmBackup', { path: { backupId }, instead: file });
  await local('showStatus', {
    instead: {
      version: '0.1.0',
      dataDir: '/var/lib/hub',
      databaseBytes: 417_792,
      walBytes: 131_072,
      lastBackup: { ...confirmed, ...file },
    },
  });
}
