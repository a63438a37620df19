import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { IssuedLink, User } from '@hub/contract';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import {
  adminJson,
  createUser,
  inspect,
  outcomeOf,
  redeem,
  signedIn,
  signIn,
  type TestUser,
  tokenIn,
  tokenOf,
  trySignIn,
} from '@hub/testkit/in-process/users';

const DAY_MS = 24 * 60 * 60 * 1000;
const password = 'something quite new';

let hub: TestHub;
let ada: TestUser;
beforeEach(async () => {
  hub = await startTestHub();
  ada = await createUser(hub, { name: 'Ada Lovelace' });
});
afterEach(() => hub[Symbol.asyncDispose]());

const path = () => `/users/${ada.id}/password-reset`;
const resetToken = async () => tokenIn(hub, (await adminJson<IssuedLink>(hub, 'POST', path())).body.link, '/reset');

describe('a reset link', () => {
  test('is created by an admin, shows the account, and keeps the password valid until it is used', async () => {
    const admin = await signedIn(hub, { role: 'admin' });
    const { status, body } = await admin.json<IssuedLink>('POST', path());
    expect([status, body.expiresAt]).toEqual([201, '2026-03-02T09:30:00.000Z']);
    expect((await inspect(hub, tokenIn(hub, body.link, '/reset'))).body).toEqual({
      kind: 'password_reset',
      email: ada.email,
      workspaceName: 'Hub',
      expiresAt: '2026-03-02T09:30:00.000Z',
    });
    expect((await trySignIn(hub, ada)).status).toBe(201);
    const member = await signedIn(hub);
    expect((await member.json('POST', path())).status).toBe(403);
  });

  test('sets the password once, ends all sessions but the new one, and is audited', async () => {
    const former = await signIn(hub, ada);
    const token = await resetToken();
    const response = await redeem(hub, { token, password });
    expect([response.status, response.body.id]).toEqual([201, ada.id]);
    expect((await former.json('GET', '/me')).status).toBe(401);
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect((await hub.fetch('/api/v1/me', { headers: { cookie } })).status).toBe(200);
    expect((await trySignIn(hub, ada)).status).toBe(401);
    expect((await trySignIn(hub, { ...ada, password })).status).toBe(201);
    expect((await redeem(hub, { token, password })).status).toBe(404);
    const actions = (await hub.admin.audit()).items.map(({ action }) => action);
    expect(actions).toContain('password.reset');
    expect(actions).toContain('password.reset_link');
    expect(JSON.stringify([await hub.admin.audit(), hub.logged])).not.toContain(token);
  });

  test('updates the last-seen time of the user, as a sign-in does', async () => {
    const lastSeenAt = async () => (await adminJson<User>(hub, 'GET', `/users/${ada.id}`)).body.lastSeenAt;
    expect(await lastSeenAt()).toBeNull();
    await redeem(hub, { token: await resetToken(), password });
    expect(await lastSeenAt()).toBe('2026-03-01T09:30:00.000Z');
    hub.clock.advance(5_000);
    await signIn(hub, { ...ada, password });
    expect(await lastSeenAt()).toBe('2026-03-01T09:30:05.000Z');
  });

  test('keeps personal access tokens, which can be revoked one by one', async () => {
    const token = await tokenOf(hub, ada);
    await redeem(hub, { token: await resetToken(), password });
    expect((await token.json('GET', '/me')).status).toBe(200);
  });

  test('is valid for exactly 24 hours', async () => {
    const token = await resetToken();
    hub.clock.advance(DAY_MS - 1);
    expect((await inspect(hub, token)).status).toBe(200);
    hub.clock.advance(1);
    expect((await inspect(hub, token)).status).toBe(404);
    expect((await redeem(hub, { token, password })).status).toBe(404);
    expect((await trySignIn(hub, ada)).status).toBe(201);
  });

  test('replaces an earlier one, and ends when the password is changed or the user is disabled', async () => {
    const [former, next] = [await resetToken(), await resetToken()];
    expect([(await inspect(hub, former)).status, (await inspect(hub, next)).status]).toEqual([404, 200]);
    const session = await signIn(hub, ada);
    await session.json('PUT', '/me/password', { currentPassword: ada.password, newPassword: password });
    expect((await inspect(hub, next)).status).toBe(404);
    const third = await resetToken();
    await adminJson(hub, 'POST', `/users/${ada.id}/deactivation`);
    expect((await inspect(hub, third)).status).toBe(404);
  });

  test('ends when its user becomes an owner, whom its creator may not change', async () => {
    const token = await resetToken();
    await adminJson(hub, 'PATCH', `/users/${ada.id}`, { role: 'owner' });
    expect((await inspect(hub, token)).status).toBe(404);
  });

  test('returns 409 for your own account, since it would replace the check of the current password', async () => {
    const session = await signedIn(hub, { role: 'owner' });
    for (const own of [session, await tokenOf(hub, session.user)]) {
      expect(outcomeOf(await own.json('POST', `/users/${own.user.id}/password-reset`))).toBe(
        '409 You cannot create a reset link for your own account. Change your password, or ask another admin or owner.',
      );
    }
    expect((await adminJson(hub, 'POST', `/users/${session.user.id}/password-reset`)).status).toBe(201);
  });

  test('returns 409 for a disabled user', async () => {
    await adminJson(hub, 'POST', `/users/${ada.id}/deactivation`);
    expect(outcomeOf(await adminJson(hub, 'POST', path()))).toBe(
      '409 The account of Ada Lovelace is disabled. Enable it first.',
    );
  });

  test('accepts a valid password and no other field', async () => {
    const token = await resetToken();
    const error = async (over: object) => {
      const { status, body } = await redeem(hub, { token, password, ...over });
      return `${status} ${body.message}`;
    };
    expect(await error({ password: 'short' })).toStartWith('400 password has 5 characters');
    expect(await error({ password: ada.email })).toStartWith('400 password must not be the e-mail address');
    expect(await error({ password: null })).toStartWith('400 password is required');
    expect(await error({ name: 'Eve' })).toBe(
      '400 name is not a field of a password reset; its fields are token, password, revokeTokens',
    );
    expect((await redeem(hub, { token, password })).status).toBe(201);
  });

  test("ends another user's session in the browser in which the link is used", async () => {
    const other = await signedIn(hub);
    const headers = { cookie: other.headers.cookie ?? '', origin: hub.origin };
    expect((await redeem(hub, { token: await resetToken(), password }, headers)).status).toBe(201);
    expect((await other.json('GET', '/me')).status).toBe(401);
  });
});
