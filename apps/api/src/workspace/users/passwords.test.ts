import { expect, test } from 'bun:test';
import type { IssuedLink } from '@hub/contract';
import { outcomeOf } from '@hub/testkit/admin';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import {
  createUser,
  inspect,
  redeem,
  signedIn,
  signIn,
  type TestUser,
  tokenIn,
  tokenOf,
  trySignIn,
} from '@hub/testkit/in-process/users';
import { guessableBasis, isCommonPassword } from './guessable-passwords.ts';

test('common passwords are found in any letter case and with surrounding spaces, and no uncommon ones are', () => {
  const common = ['password', 'Password1', 'QWERTYUIOP', ' iloveyou1 ', '12345678', 'ｐａｓｓｗｏｒｄ'];
  const others = ['password of nobody else', 'qwertyuiop, but longer', 'pässword', '🚀'.repeat(8)];
  expect([...common, ...others].filter(isCommonPassword)).toEqual(common);
});

/** Passwords by what they are based on. */
const BASED = {
  'a season, month or weekday':
    'Summer2024! 2024Summer 5umm3r2024 $ummer2024 SummerSummer1 January2025! Dec.2024! May-2025-! Frühling2024 Été-2024! ' +
    'Ｓｕｍｍｅｒ２０２４ MySummer24 Donnerstag.24 AcmeSummer24',
  'the name of the workspace': 'acmecorp1 Acme-Corp!! CorpAcme99 4cm3c0rp1111 @cme2024! acmeacme AcmePassword1',
  'the name of the user': 'Lovelace1815 ada12345 AdaAda99 lovelace.ada 1234-Ada-5678',
  'the e-mail address': 'countess1 Engines2024 countess@engines',
  'the name of this product': 'hub-12345',
};

test('a password is based on a season or on names if it has little else', () => {
  const context = { workspaceName: 'Acme Corp', name: 'Ada Lovelace', email: 'countess@engines.example.co.uk' };
  for (const [basis, passwords] of Object.entries(BASED)) {
    for (const each of passwords.split(' ')) expect([each, guessableBasis(each, context)]).toEqual([each, basis]);
  }
  const others = `ada likes long walks, our acme corp summer party was wet, Summertime sadness, mayflower-1620, k4t9x2v7,
    ada7Kq9!x2Zp, marlin-fishing, adamant2024, december nights in Acme, 夏の終わりの物語です, 🚀🚀🚀🚀🚀🚀🚀🚀`;
  for (const each of others.split(/,\s+/)) expect([each, guessableBasis(each, context)]).toEqual([each, null]);
});

test('a password that is common or based on them is rejected wherever a password is set; a link can still be used', async () => {
  await using hub = await startTestHub();
  const linkFor = async (...[path, page, body]: [string, Parameters<typeof tokenIn>[2], object?]) =>
    tokenIn(hub, (await hub.admin.json<IssuedLink>('POST', path, body)).body.link, page);
  const based = (on: keyof typeof BASED, field = 'password') =>
    `400 ${field} is too easy to guess: it is based on ${on}. Add a few unrelated words.`;
  const COMMON = '400 password is too easy to guess. Choose a less common password.';
  const tried = async (fields: object, password: string) => outcomeOf(await redeem(hub, { ...fields, password }));
  const good = 'a good password';

  const owner = { email: 'grace@example.org', name: 'Grace Hopper', workspaceName: 'Acme Corp' };
  const setup = { token: await linkFor('/setup-link', '/setup'), ...owner };
  expect(await tried(setup, 'acmecorp1')).toBe(based('the name of the workspace'));
  expect(await tried(setup, 'Password1')).toBe(COMMON);
  expect(await tried(setup, good)).toBe('201');

  const user = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'lovelace1' };
  expect(await hub.admin.outcome('POST', '/users', user)).toBe(based('the name of the user'));
  const invited = { token: await linkFor('/invitations', '/join', { email: user.email }), name: user.name };
  expect(await tried(invited, 'lovelace1')).toBe(based('the name of the user'));
  expect(await tried(invited, good)).toBe('201');

  const grace = await createUser(hub, { name: 'Alan Turing' });
  const change = { currentPassword: grace.password, newPassword: 'AcmeCorp2024' };
  expect(await (await signIn(hub, grace)).outcome('PUT', '/me/password', change)).toBe(
    based('the name of the workspace', 'newPassword'),
  );
  const reset = { token: await linkFor(`/users/${grace.id}/password-reset`, '/reset') };
  expect(await tried(reset, 'Summer2024!')).toBe(based('a season, month or weekday'));
  expect(await tried(reset, 'trustno1')).toBe(COMMON);
  expect(await tried(reset, good)).toBe('201');
});

const DAY_MS = 24 * 60 * 60 * 1000;
const password = 'something quite new';
const hub = shared(startTestHub);
const path = ({ id }: { id: string }) => `/users/${id}/password-reset`;
const resetToken = async (user: TestUser) =>
  tokenIn(hub, (await hub.admin.json<IssuedLink>('POST', path(user))).body.link, '/reset');
const statusOf = async (token: string) => (await inspect(hub, token)).status;

test('a reset link is created by an admin, shows the account, and sets the password within exactly 24 hours, once', async () => {
  const [admin, ada] = [await signedIn(hub, { role: 'admin' }), await createUser(hub)];
  const { status, body } = await admin.json<IssuedLink>('POST', path(ada));
  const expiresAt = '2026-03-02T09:30:00.000Z';
  expect([status, body.expiresAt]).toEqual([201, expiresAt]);
  const token = tokenIn(hub, body.link, '/reset');
  const info = { kind: 'password_reset' as const, email: ada.email, workspaceName: 'Hub', expiresAt };
  expect((await inspect(hub, token)).body).toEqual(info);
  const set = async (token: string) => (await redeem(hub, { token, password })).status;
  hub.clock.advance(DAY_MS - 1);
  expect(await statusOf(token)).toBe(200);
  hub.clock.advance(1);
  expect([await statusOf(token), await set(token), (await trySignIn(hub, ada)).status]).toEqual([404, 404, 201]);
  const other = await resetToken(ada);
  expect([await set(other), (await trySignIn(hub, ada)).status, await set(other)]).toEqual([201, 401, 404]);
});

test('a reset link replaces an earlier one, and ends when the password or the role changes or the user is disabled', async () => {
  const ada = await createUser(hub);
  const [former, next] = [await resetToken(ada), await resetToken(ada)];
  expect([await statusOf(former), await statusOf(next)]).toEqual([404, 200]);
  const change = { currentPassword: ada.password, newPassword: password };
  await (await signIn(hub, ada)).json('PUT', '/me/password', change);
  expect(await statusOf(next)).toBe(404);
  // An owner, whom the creator of the link may not change.
  const owner = await createUser(hub);
  for (const [user, method, path, body] of [
    [ada, 'POST', '/deactivation'],
    [owner, 'PATCH', '', { role: 'owner' }],
  ] as const) {
    const token = await resetToken(user);
    await hub.admin.json(method, `/users/${user.id}${path}`, body);
    expect(await statusOf(token)).toBe(404);
  }
});

test('a reset link returns 409 for your own account, since it would replace the check of the current password', async () => {
  const session = await signedIn(hub, { role: 'owner' });
  for (const own of [session, await tokenOf(hub, session.user)])
    expect(await own.outcome('POST', path(own.user))).toStartWith(
      '409 You cannot create a reset link for your own account. Change your password, or ask another admin',
    );
});
