import { describe, expect, test } from 'bun:test';
import type { DeviceLogin, DeviceLoginRequest, DeviceLoginState } from '@hub/contract';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { callerWith, signedIn } from '@hub/testkit/in-process/users';

// RFC 8628, the device authorization grant, as `hubctl login` uses it.

const hub = perTest(startTestHub);
const ada = perTest(() => signedIn(hub));

const NAME = 'hubctl on laptop';
const nobody = () => callerWith(hub, ada.user, {});
const tryStart = () => nobody().json<DeviceLogin>('POST', '/device-logins', { name: NAME });
const start = async () => (await tryStart()).body;
const poll = ({ deviceCode }: DeviceLogin) =>
  nobody().json<DeviceLoginState>('POST', '/device-logins/poll', { deviceCode });
const stateOf = async (login: DeviceLogin) => {
  const { status, body } = await poll(login);
  return status === 200 ? [body.state, body.intervalSeconds] : status;
};
const inspect = (userCode: string) => ada.json<DeviceLoginRequest>('POST', '/device-logins/inspection', { userCode });
const decide = (userCode: string, isApproved = true) =>
  ada.json<DeviceLoginRequest>('POST', '/device-logins/decision', { userCode, isApproved });

describe('a device login', () => {
  test('gives the program a token of the user who approves it, once, for a year', async () => {
    hub.setClientAddress('198.51.100.7');
    const login = await start();
    expect(login.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(login).toMatchObject({
      verificationUrl: `${hub.url}/settings/device`,
      intervalSeconds: 5,
      expiresAt: '2026-03-01T09:40:00.000Z',
    });
    expect(await stateOf(login)).toEqual(['pending', 5]);
    hub.setClientAddress('203.0.113.9');
    const { body: request } = await inspect(login.userCode.toLowerCase().replace('-', '  '));
    expect(request).toMatchObject({ name: NAME, address: '198.51.100.7', isSameNetwork: false });
    expect((await decide(login.userCode)).status).toBe(200);
    const { body } = await poll(login);
    const issued = { name: NAME, expiresAt: '2027-03-01T09:30:00.000Z' };
    expect(body).toMatchObject({ state: 'approved', issued });
    const token = body.issued?.token ?? '';
    const program = callerWith(hub, ada.user, { authorization: `Bearer ${token}` });
    expect((await program.request('GET /me')).id).toBe(ada.user.id);
    expect(await stateOf(login)).toBe(404);
    const { items } = await ada.request('GET /me/tokens');
    expect(items).toMatchObject([{ name: NAME, hint: `hub_pat_…${token.slice(-4)}` }]);
    const [entry] = (await hub.admin.audit()).items;
    expect(entry).toMatchObject({ action: 'token.created', actor: { id: ada.user.id }, address: '198.51.100.7' });
    const logged = JSON.stringify([await hub.admin.audit(), hub.logged]);
    for (const secret of [token, login.deviceCode, login.userCode]) expect(logged).not.toContain(secret);
  });

  test('gives no second token to polls at the same moment', async () => {
    const login = await start();
    await decide(login.userCode);
    const polls = await Promise.all(Array.from({ length: 5 }, () => poll(login)));
    expect(polls.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  test('tells a program that polls too often to slow down, each time by five more seconds', async () => {
    const login = await start();
    const states = [];
    for (const seconds of [0, 4.999, 10, 14, 20, 0]) {
      hub.clock.advance(seconds * 1000);
      states.push((await stateOf(login)).toString());
    }
    const pending = ['pending,10', 'pending,10', 'pending,10'];
    expect(states).toEqual(['pending,5', 'slow_down,10', ...pending, 'slow_down,15']);
  });

  test('can be denied, and is decided once', async () => {
    const [denied, approved] = [await start(), await start()];
    for (const [login, isApproved, state] of [
      [denied, false, 'denied'],
      [approved, true, 'approved'],
    ] as const) {
      expect((await decide(login.userCode, isApproved)).status).toBe(200);
      for (const again of [await decide(login.userCode, !isApproved), await inspect(login.userCode)])
        expect(again.status).toBe(404);
      expect([await stateOf(login), await stateOf(login)]).toEqual([[state, 5], 404]);
    }
  });

  test('expires after ten minutes, approved or not', async () => {
    const [login, approved] = [await start(), await start()];
    await decide(approved.userCode);
    hub.clock.advance(10 * 60_000 - 1);
    expect((await inspect(login.userCode)).status).toBe(200);
    hub.clock.advance(1);
    expect([await stateOf(login), await stateOf(approved)]).toEqual([404, 404]);
    expect([(await inspect(login.userCode)).status, (await decide(login.userCode)).status]).toEqual([404, 404]);
  });

  test.each(['deactivation', 'sign-out'])(
    'gives no token after the %s of the user who has approved it',
    async (end) => {
      const login = await start();
      await decide(login.userCode);
      expect((await hub.admin.json('POST', `/users/${ada.user.id}/${end}`)).status).toBe(200);
      expect(await stateOf(login)).toBe(404);
    },
  );

  test('has codes that cannot be guessed: thirty tries of a user and thirty logins from a network in an hour', async () => {
    const outcomes = [];
    for (let count = 0; count < 31; count += 1) {
      // Failures from one address would be slowed, too.
      hub.setClientAddress(`203.0.113.${count}`);
      outcomes.push((await inspect('BCDF-GHJK')).status);
    }
    hub.setClientAddress('198.51.100.7');
    expect(outcomes).toEqual([...Array(30).fill(404), 429]);
    expect((await decide((await start()).userCode)).status).toBe(429);
    const starts = [];
    for (let count = 0; count < 30; count += 1) starts.push((await tryStart()).status);
    expect(starts).toEqual([...Array(29).fill(201), 429]);
    hub.setClientAddress('198.51.100.8');
    expect((await tryStart()).status).toBe(201);
    hub.clock.advance(60 * 60_000);
    expect((await inspect('BCDF-GHJK')).status).toBe(404);
  });
});
