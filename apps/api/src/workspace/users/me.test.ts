import { describe, expect, test } from 'bun:test';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, outcomeOf, signedIn } from '@hub/testkit/in-process/users';

describe('the signed-in user', () => {
  test('is returned with the name of the workspace', async () => {
    await using hub = await startTestHub();
    const caller = await signedIn(hub, { role: 'admin', name: 'Grace' });
    await adminJson(hub, 'PATCH', '/workspace', { name: 'Example Ltd' });
    expect((await caller.json('GET', '/me')).body).toEqual({
      id: caller.user.id,
      name: 'Grace',
      email: caller.user.email,
      role: 'admin',
      createdAt: '2026-03-01T09:30:00.000Z',
      workspace: { name: 'Example Ltd' },
    });
  });

  test('returns 403 for the local admin and 401 without a session', async () => {
    await using hub = await startTestHub();
    expect(outcomeOf(await adminJson(hub, 'GET', '/me'))).toBe(
      '403 This requires a user account; the local admin has none. Sign in with an account.',
    );
    const anonymous = await hub.fetch('/api/v1/me');
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  test('can change only their name, which is audited', async () => {
    await using hub = await startTestHub();
    const caller = await signedIn(hub, { name: 'Ada' });
    expect((await caller.json('PATCH', '/me', { name: ' Grace ' })).body).toMatchObject({ name: 'Grace' });
    expect((await hub.admin.audit('?limit=1')).items[0]).toMatchObject({
      action: 'user.changed',
      actor: { id: caller.user.id },
      details: { from: { name: 'Ada' }, to: { name: 'Grace' } },
    });
    const change = async (body: object) => outcomeOf(await caller.json('PATCH', '/me', body));
    expect(await change({ role: 'owner' })).toStartWith('400 role is not a field');
    expect(await change({ email: 'x@example.org' })).toStartWith('400 email is not a field');
    expect(await change({ name: null })).toStartWith('400 name cannot be empty');
    expect(await change({ name: 'Ada\u202e' })).toStartWith('400 name cannot contain control characters');
    expect(await change({})).toStartWith('400 There are no changes in the body');
  });
});
