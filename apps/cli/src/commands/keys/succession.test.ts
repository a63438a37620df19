import { describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { hasTokenFormat, KEY_PREFIX } from '@hub/contract/key-token';
import { post } from '../../testing/hub.ts';
import { sharedHubctl } from '../../testing/hubctl-on-hub.ts';
import { errorOf } from '../../testing/run-hubctl.ts';

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

  test('rotate reports the expiry of the old key if that is earlier', async () => {
    const old = await on.issue('rotating soon', '--expires-in', '2h');
    expect((await on.hubctl(['keys', 'rotate', old.id, '--expires-in', '30d'])).stderr).toContain(
      'works until 2026-03-01 11:30 UTC',
    );
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

  test('`keys show` with a name shows the successor and its predecessor', async () => {
    const { id } = await on.issue('shown');
    const { id: successorId } = (await on.hubctl(['keys', 'rotate', 'shown', '--json'])).json();
    expect((await on.hubctl(['keys', 'show', 'shown', '--json'])).json()).toMatchObject({
      id: successorId,
      predecessorId: id,
    });
  });

  test('replace revokes the old key immediately, and asks only at a terminal', async () => {
    const old = await on.issue('leaked');
    const kept = await on.hubctl(['keys', 'replace', old.id], { responses: [false] });
    expect(kept.code).toBe(1);
    const ran = await on.hubctl(['keys', 'replace', 'leaked', '--json']);
    expect(ran.json()).toMatchObject({ predecessorId: old.id, state: 'active' });
    expect((await on.hubctl(['keys', 'show', old.id, '--json'])).json()).toMatchObject({ state: 'revoked' });
  });

  test('replace and revoke suggest remove-posts if the key has posts', async () => {
    const noteOf = async (action: string, { id, name }: IssuedKey) =>
      (await on.hubctl(['keys', action, id], { responses: [action === 'revoke' ? name : true] })).stderr;
    for (const action of ['replace', 'revoke']) {
      const [unused, used] = [await on.issue(`unused ${action}`), await on.issue(`used ${action}`)];
      await post(on.hub, 'messages', used.key, { text: 'spam' });
      expect(await noteOf(action, used)).toContain(`hubctl keys remove-posts ${used.id}`);
      expect(await noteOf(action, unused)).not.toContain('remove-posts');
    }
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

  test('a second rotate by name asks at a terminal, and warns elsewhere', async () => {
    const first = await on.issue('twice');
    expect((await on.hubctl(['keys', 'rotate', 'twice'])).stderr).toContain('(generation 2).');
    const asked = await on.hubctl(['keys', 'rotate', 'twice'], { responses: [false] });
    expect(asked.asked[0]).toContain('twice was already rotated just now. The current key is generation 2');
    expect(asked.code).toBe(1);
    const script = await on.hubctl(['keys', 'rotate', 'twice', '--json']);
    expect(script.json()).toMatchObject({ generation: 3 });
    expect(script.stderr).toContain(
      'warning: twice was already rotated just now. Rotating the current key, generation 2',
    );
    await on.hubctl(['keys', 'revoke', first.id, '--yes']);
  });

  test('show reports no remaining time for a rotated key that was revoked', async () => {
    const { id } = await on.issue('ended');
    await on.hubctl(['keys', 'rotate', id]);
    expect((await on.hubctl(['keys', 'show', id])).stdout).toContain('Works until');
    await on.hubctl(['keys', 'revoke', id, '--yes']);
    expect((await on.hubctl(['keys', 'show', id])).stdout).not.toMatch(/Work(s|ed) until/);
  });

  test('the help for replace explains that scripts do not need --yes', async () => {
    const help = (await on.hubctl(['keys', 'replace', '--help'])).stdout;
    expect(help).toContain('The old key stops working immediately');
    expect(help).toContain('without --yes');
  });

  test('revoke asks at a terminal, and needs --yes elsewhere', async () => {
    const key = await on.issue('doomed');
    expect((await on.hubctl(['keys', 'revoke', key.id])).code).toBe(2);
    const no = await on.hubctl(['keys', 'revoke', key.id], { responses: ['Doomed'] });
    expect(no.asked[0]).toContain(key.hint);
    expect(no.code).toBe(1);
    expect((await on.hubctl(['keys', 'show', key.id, '--json'])).json()).toMatchObject({ state: 'active' });
    const ran = await on.hubctl(['keys', 'revoke', 'doomed', '--yes', '--json']);
    expect(ran.json()).toMatchObject({ id: key.id, state: 'revoked', revokedAt: expect.any(String) });
  });

  test('a name that two live keys share causes an error that lists both', async () => {
    const old = await on.issue('both');
    const successor = (await on.hubctl(['keys', 'rotate', old.id, '--json'])).json<IssuedKey>();
    const ran = await on.hubctl(['keys', 'revoke', 'both', '--yes']);
    expect(ran.code).toBe(1);
    expect(ran.stderr.split('\n')).toEqual([
      'error: 2 keys are named "both".',
      'To choose one, use its ID: hubctl keys revoke ID',
      `  ${successor.id}  ${successor.hint}, active, Hub Releases`,
      `  ${old.id}  ${old.hint}, rotated, works until 2026-03-02 09:30 UTC, Hub Releases`,
      '',
    ]);
  });

  test('show mentions an older key that still works', async () => {
    const old = await on.issue('older');
    await on.hubctl(['keys', 'rotate', old.id]);
    const note = `The older key ${old.hint} (${old.id}) still works until 2026-03-02 09:30 UTC`;
    expect((await on.hubctl(['keys', 'show', 'older'])).stderr).toContain(note);
    expect((await on.hubctl(['keys', 'show', 'older', '--json'])).stderr).toBe('');
    await on.hubctl(['keys', 'revoke', old.id, '--yes']);
    expect((await on.hubctl(['keys', 'show', 'older'])).stderr).toBe('');
  });

  test('rotate at a terminal offers only keys that can be rotated', async () => {
    const key = await on.issue('offered');
    const label = `offered, Releases, ${key.hint}, active`;
    const ran = await on.hubctl(['keys', 'rotate'], { responses: [label] });
    expect(ran.code).toBe(0);
    await expect(on.hubctl(['keys', 'rotate'], { responses: [label] })).resolves.toMatchObject({ code: 1 });
  });
});
