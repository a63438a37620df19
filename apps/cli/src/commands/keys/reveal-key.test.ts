import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { hasTokenFormat, KEY_PREFIX } from '@hub/contract/key-token';
import { temporaryFolder } from '../../testing/files.ts';
import { type HubctlOnHub, startHubctl } from '../../testing/hubctl-on-hub.ts';

let on: HubctlOnHub;
beforeAll(async () => {
  on = await startHubctl();
});
afterAll(() => on.stop());

describe('--out', () => {
  test('writes the key only to a new file that only its owner can read', async () => {
    using folder = temporaryFolder();
    const out = folder.file('key');
    const ran = await on.hubctl([
      'keys',
      'issue',
      '--hub',
      'Releases',
      '--name',
      'filed',
      '--scopes',
      'messages',
      '--out',
      out,
      '--json',
    ]);
    expect(ran.json()).toMatchObject({ keyFile: out, name: 'filed' });
    expect(ran.json().key).toBeUndefined();
    expect(hasTokenFormat(KEY_PREFIX, (await Bun.file(out).text()).trimEnd())).toBe(true);
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  test('issues no key if the file exists', async () => {
    using folder = temporaryFolder();
    const out = folder.file('key');
    await Bun.write(out, 'precious');
    const ran = await on.hubctl([
      'keys',
      'issue',
      '--hub',
      'Releases',
      '--name',
      'over',
      '--scopes',
      'messages',
      '--out',
      out,
    ]);
    expect(ran.code).toBe(2);
    expect(await Bun.file(out).text()).toBe('precious');
    expect((await on.hubctl(['keys', 'show', 'over'])).code).toBe(1);
  });

  test('leaves no file if the server rejects the request', async () => {
    using folder = temporaryFolder();
    const out = folder.file('key');
    const spent = await on.issue('spent for a file');
    await on.hub.admin.revokeKey(spent.id);
    expect((await on.hubctl(['keys', 'rotate', spent.id, '--out', out])).code).toBe(1);
    expect(await Bun.file(out).exists()).toBe(false);
  });
});
