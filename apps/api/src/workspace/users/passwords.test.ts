import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { IssuedLink } from '@hub/contract';
import { TestClock } from '@hub/testkit/in-process/test-clock';
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
import { ENTRY_BYTES, isCommonPassword } from './common-passwords.ts';
import { guessableBasis } from './guessable-passwords.ts';
import { PasswordQueue } from './password-queue.ts';

const COMMON = 'is too easy to guess. Choose a less common password.';

test('the list has more than 10,000 passwords of the minimum length', () => {
  const file = Bun.file(join(import.meta.dir, 'common-passwords.bin'));
  expect(file.size / ENTRY_BYTES).toBeGreaterThan(10_000);
});

test('finds common passwords in any letter case and with surrounding spaces, and no uncommon ones', () => {
  for (const common of ['password', 'Password1', 'QWERTYUIOP', ' iloveyou1 ', '12345678', 'ｐａｓｓｗｏｒｄ']) {
    expect([common, isCommonPassword(common)]).toEqual([common, true]);
  }
  for (const other of ['password of nobody else', 'qwertyuiop, but longer', 'pässword', '🚀'.repeat(8)]) {
    expect([other, isCommonPassword(other)]).toEqual([other, false]);
  }
});

describe('a common password returns 400', () => {
  const linkTo = async (hub: TestHub, path: string, page: '/setup' | '/reset') => {
    const { body } = await adminJson<IssuedLink>(hub, 'POST', path);
    return tokenIn(hub, body.link, page);
  };

  test('with a setup link and a reset link, which can still be used afterwards', async () => {
    await using hub = await startTestHub();
    const owner = { email: 'ada@example.org', name: 'Ada' };
    const setup = await linkTo(hub, '/setup-link', '/setup');
    const rejected = await redeem(hub, { token: setup, ...owner, password: 'Password1' });
    expect(rejected).toMatchObject({ status: 400, body: { message: `password ${COMMON}` } });
    expect((await redeem(hub, { token: setup, ...owner, password: 'a good password' })).status).toBe(201);

    const { id } = await createUser(hub);
    const token = await linkTo(hub, `/users/${id}/password-reset`, '/reset');
    const again = await redeem(hub, { token, password: 'trustno1' });
    expect(again).toMatchObject({ status: 400, body: { message: `password ${COMMON}` } });
    expect((await redeem(hub, { token, password: 'a good password' })).status).toBe(201);
  });
});

const BASIS = {
  season: 'a season, month or weekday',
  workspace: 'the name of the workspace',
  name: 'the name of the user',
  email: 'the e-mail address',
} as const;

const basisOf = (password: string, over: object = {}) =>
  guessableBasis(password, {
    workspaceName: 'Acme Corp',
    name: 'Ada Lovelace',
    email: 'countess@engines.example.co.uk',
    ...over,
  });

describe('a password is based on', () => {
  test.each([
    ['season', 'Summer2024!'],
    ['season', '2024Summer'],
    ['season', 'summer-24'],
    ['season', '5umm3r2024'],
    ['season', '$ummer2024'],
    ['season', 'SummerSummer1'],
    ['season', 'Autumn#2023'],
    ['season', 'January2025!'],
    ['season', 'Dec.2024!'],
    ['season', 'May-2025-!'],
    ['season', 'Frühling2024'],
    ['season', 'Été-2024!'],
    ['season', 'Verano.2024'],
    ['season', 'Ｓｕｍｍｅｒ２０２４'],
    ['season', 'MySummer24'],
    ['season', 'Monday2024!'],
    ['season', 'Donnerstag.24'],
    ['workspace', 'acmecorp1'],
    ['workspace', 'AcmeCorp2024!'],
    ['workspace', 'Acme-Corp!!'],
    ['workspace', 'CorpAcme99'],
    ['workspace', '4cm3c0rp1111'],
    ['workspace', '@cme2024!'],
    ['workspace', 'acmeacme'],
    ['workspace', 'Acme.Inc.1'],
    ['workspace', 'AcmePassword1'],
    ['season', 'AcmeSummer24'],
    ['name', 'Lovelace1815'],
    ['name', 'ada12345'],
    ['name', 'AdaAda99'],
    ['name', 'adalovelace'],
    ['name', 'lovelace.ada'],
    ['name', '1234-Ada-5678'],
    ['email', 'countess1'],
    ['email', 'Engines2024'],
    ['email', 'countess@engines'],
    ['product', 'hub-12345'],
  ] as const)('%s: %s', (basis, password) => {
    expect([password, basisOf(password)]).toEqual([password, BASIS[basis as 'name'] ?? 'the name of this product']);
  });
});

describe('a password is not based on them', () => {
  test.each([
    'ada likes long walks',
    'my monday meeting with Bob',
    'correct horse battery staple',
    'our acme corp summer party was wet',
    'Summertime sadness',
    'mayflower-1620',
    'k4t9x2v7',
    'ada7Kq9!x2Zp',
    'marlin-fishing',
    'adamant2024',
    'december nights in Acme',
    'Xq7!vTz2#Wm',
    '夏の終わりの物語です',
    '🚀🚀🚀🚀🚀🚀🚀🚀',
  ])('%s', (password) => {
    expect([password, basisOf(password)]).toEqual([password, null]);
  });
});

test('a password that is based on them is rejected wherever a password is set, and the error says why', async () => {
  await using hub = await startTestHub();
  const linkFor = async (path: string, page: '/setup' | '/join' | '/reset', body?: object) =>
    tokenIn(hub, (await adminJson<IssuedLink>(hub, 'POST', path, body)).body.link, page);
  const rejected = (field: string, basis: string) =>
    `400 ${field} is too easy to guess: it is based on ${basis}. Add a few unrelated words.`;
  const [name, email] = ['Grace Hopper', 'grace@example.org'];

  const setup = { token: await linkFor('/setup-link', '/setup'), email, name, workspaceName: 'Acme Corp' };
  expect(outcomeOf(await redeem(hub, { ...setup, password: 'acmecorp1' }))).toBe(rejected('password', BASIS.workspace));
  expect((await redeem(hub, { ...setup, password: 'a good password' })).status).toBe(201);

  const user = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'lovelace1' };
  expect(outcomeOf(await adminJson(hub, 'POST', '/users', user))).toBe(rejected('password', BASIS.name));
  const invited = { token: await linkFor('/invitations', '/join', { email: user.email }), name: user.name };
  expect(outcomeOf(await redeem(hub, { ...invited, password: 'lovelace1' }))).toBe(rejected('password', BASIS.name));

  const ada = await createUser(hub, user);
  const reset = { token: await linkFor(`/users/${ada.id}/password-reset`, '/reset'), password: 'Summer2024!' };
  expect(outcomeOf(await redeem(hub, reset))).toBe(rejected('password', BASIS.season));
  const change = { currentPassword: ada.password, newPassword: 'AcmeCorp2024' };
  expect(outcomeOf(await (await signIn(hub, ada)).json('PUT', '/me/password', change))).toBe(
    rejected('newPassword', BASIS.workspace),
  );
  expect((await trySignIn(hub, ada)).status).toBe(201);
});

/** Creates a hasher that holds each password until the test releases it. */
function heldHasher() {
  const started: string[] = [];
  const held = new Map<string, () => void>();
  const hash = (password: string): Promise<string> => {
    started.push(password);
    return new Promise((resolve) => held.set(password, () => resolve(`hash of ${password}`)));
  };
  const queue = new PasswordQueue({ hash, verify: async () => true }, new TestClock());
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  };
  const finish = async (password: string): Promise<void> => {
    held.get(password)?.();
    await settle();
  };
  return { queue, started, settle, finish };
}

describe('the password queue', () => {
  test('runs two jobs at the same time, one for each network, and starts the next when one is done', async () => {
    const { queue, started, settle, finish } = heldHasher();
    const first = queue.hash('a1', 'a');
    for (const password of ['a2', 'a3']) queue.hash(password, 'a');
    for (const password of ['b1', 'b2']) queue.hash(password, 'b');
    queue.hash('c1', 'c');
    await settle();
    expect(started).toEqual(['a1', 'b1']);
    await finish('a1');
    expect(await first).toBe('hash of a1');
    expect(started).toEqual(['a1', 'b1', 'a2']);
    for (const password of ['b1', 'a2', 'b2', 'c1']) await finish(password);
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'a3']);
    expect(queue.waiting).toBe(0);
  });
});

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
});
