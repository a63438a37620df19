import { describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { buildToken, hasTokenFormat, KEY_PREFIX } from '@hub/contract/key-token';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, type RunOptions } from '@hub/testkit/cli/run-hubctl';

const on = sharedHubctl();

describe('keys rotate, replace and revoke', () => {
  test('rotate prints the successor and when the old key stops working', async () => {
    const old = await on.issue('rotating', '--expires-in', '90d');
    const ran = await on.hubctl(['keys', 'rotate', old.id]);
    expect(hasTokenFormat(KEY_PREFIX, ran.stdout.trimEnd())).toBe(true);
    expect(ran.stdout.trimEnd()).not.toBe(old.key);
    expect(ran.stderr).toContain('works until 2026-03-02 09:30 UTC');
    expect((await on.hubctl(['keys', 'show', old.id, '--json'])).json()).toMatchObject({ state: 'rotated' });
  });

  test('rotate by name rotates the latest key; rotating an old one exits with 1', async () => {
    const first = await on.issue('chain');
    const second = (await on.hubctl(['keys', 'rotate', 'chain', '--json'])).json<IssuedKey>();
    expect(second).toMatchObject({ predecessorId: first.id, generation: 2 });
    expect((await on.hubctl(['keys', 'rotate', 'chain', '--json'])).json()).toMatchObject({ predecessorId: second.id });
    const again = await on.hubctl(['keys', 'rotate', first.id, '--json']);
    expect(again.code).toBe(1);
    expect(errorOf(again)).toMatchObject({ code: 'conflict', statusCode: 409 });
  });

  test('replace revokes the old key immediately, and asks only at a terminal', async () => {
    const old = await on.issue('leaked');
    const kept = await on.hubctl(['keys', 'replace', old.id], { responses: [false] });
    expect(kept.code).toBe(1);
    const ran = await on.hubctl(['keys', 'replace', 'leaked', '--json']);
    expect(ran.json()).toMatchObject({ predecessorId: old.id, state: 'active' });
    expect((await on.hubctl(['keys', 'show', old.id, '--json'])).json()).toMatchObject({ state: 'revoked' });
  });

  test('replace warns about an older key that still works, with the command to revoke it', async () => {
    const first = await on.issue('leaked again');
    const second = (await on.hubctl(['keys', 'rotate', 'leaked again', '--json'])).json<IssuedKey>();
    for (const flags of [[], ['--json']]) {
      const ran = await on.hubctl(['keys', 'replace', 'leaked again', ...flags]);
      expect(ran.code).toBe(0);
      expect(ran.stderr).toContain(`The older key ${first.hint} still works until 2026-03-02 09:30 UTC`);
      expect(ran.stderr).toContain(`  hubctl keys revoke ${first.id}\n`);
      expect(ran.stderr).not.toContain(`revoke ${second.id}`);
    }
    await on.hubctl(['keys', 'revoke', first.id, '--yes']);
    expect((await on.hubctl(['keys', 'replace', 'leaked again'])).stderr).not.toContain('still works');
  });

  test('a name that two live keys share causes an error that lists both, but not the keys they were rotated from', async () => {
    const [first, old] = [await on.issue('both'), await on.issue('both')];
    const successor = (await on.hubctl(['keys', 'rotate', old.id, '--json'])).json<IssuedKey>();
    const ran = await on.hubctl(['keys', 'revoke', 'both', '--yes']);
    expect(ran.code).toBe(1);
    expect(ran.stderr.split('\n')).toEqual([
      'error: 2 keys are named "both".',
      'To choose one, use its ID: hubctl keys revoke ID',
      `  ${successor.id}  ${successor.hint}, active, Hub Releases`,
      `  ${first.id}  ${first.hint}, active, Hub Releases`,
      '',
    ]);
  });

  const stateOf = async ({ id }: { id: string }) => (await on.hub.admin.showKey(id)).state;
  const rotated = async ({ id }: { id: string }) =>
    (await on.hubctl(['keys', 'rotate', id, '--json'])).json<IssuedKey>();

  test('revoke by name names and revokes the key and all that it was rotated from', async () => {
    const first = await on.issue('family');
    const second = await rotated(first);
    const third = await rotated(second);
    const no = await on.hubctl(['keys', 'revoke', 'family'], { responses: ['no'] });
    for (const { hint } of [first, second, third]) expect(no.asked[0]).toContain(hint);
    expect(no.asked[0]).toContain(`the older key ${first.hint}, which still works until 2026-03-02 09:30 UTC`);
    expect(await stateOf(first)).toBe('rotated');
    const yes = await on.hubctl(['keys', 'revoke', 'family'], { responses: ['family'] });
    expect(yes.stdout.trimEnd().split('\n')).toEqual(
      [third, second, first].map(({ id, hint }) => `Revoked key family ${id} (${hint})`),
    );
    for (const key of [first, second, third]) expect(await stateOf(key)).toBe('revoked');
  });

  test.each(['', '…', '...', 'hub_live_…', 'hub_live_...'])('a key is found by its hint %sWXYZ', async (start) => {
    const key = await on.issue(`hinted by ${start}`);
    const end = key.key.slice(-4);
    const ran = await on.hubctl(['keys', 'show', `${start}${end}`, '--json']);
    expect(ran.json()).toMatchObject({ id: key.id });
    const unknown = await on.hubctl(['keys', 'show', `${start}${end}x`]);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('No key with the name, hint or ID') });
  });

  test('--key-stdin finds the key itself, piped or typed, and sends only its hash', async () => {
    const key = await on.issue('found');
    const requests: string[] = [];
    const watched: RunOptions['fetch'] = (url, init) => {
      requests.push(`${url} ${init.body ?? ''}`);
      return fetch(url, init);
    };
    const stdin = `${key.key}\n`;
    const ran = await on.hubctl(['keys', 'show', '--key-stdin', '--json'], { stdin, fetch: watched });
    expect(ran.json()).toMatchObject({ id: key.id });
    const typed = await on.hubctl(['keys', 'show', '--key-stdin'], { responses: [key.key] });
    expect(typed.stdout).toContain(key.id);
    const replaced = (
      await on.hubctl(['keys', 'replace', '--key-stdin', '--json'], { stdin, fetch: watched })
    ).json<IssuedKey>();
    expect(replaced).toMatchObject({ predecessorId: key.id });
    const again = { stdin: replaced.key, fetch: watched };
    const revoked = await on.hubctl(['keys', 'revoke', '--key-stdin', '--yes', '--json'], again);
    expect(revoked.json()).toMatchObject({ id: replaced.id, state: 'revoked' });
    expect(requests.join('\n')).not.toContain(key.key.slice(9));
    expect(requests.join('\n')).toContain('sha256=');
  });

  test('--key-stdin reports a key of another server, another secret, and a key that is also an argument', async () => {
    const foreign = buildToken(KEY_PREFIX, 'k7'.repeat(17));
    const unknown = await on.hubctl(['keys', 'show', '--key-stdin'], { stdin: foreign });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('This server has no such key') });
    const secret = await on.hubctl(['keys', 'revoke', '--key-stdin', '--yes'], { stdin: 'hunter2' });
    expect(secret).toMatchObject({ code: 4, stderr: expect.stringContaining('is not an API key. Nothing was sent.') });
    expect((await on.hubctl(['keys', 'revoke', 'ci', '--key-stdin'], { stdin: foreign })).code).toBe(2);
    for (const verb of ['show', 'revoke', 'replace']) {
      const { code, stderr } = await on.hubctl(['keys', verb, foreign]);
      expect(code).toBe(2);
      expect(stderr).toContain('the shell keeps them in its history');
      expect(stderr).toContain('hubctl keys replace --key-stdin');
      expect(stderr).not.toContain(foreign);
    }
  });
});
