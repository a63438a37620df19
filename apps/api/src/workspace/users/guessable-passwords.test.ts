import { describe, expect, test } from 'bun:test';
import type { IssuedLink } from '@hub/contract';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, createUser, outcomeOf, redeem, signIn, tokenIn, trySignIn } from '@hub/testkit/in-process/users';
import { guessableBasis } from './guessable-passwords.ts';

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

  test('if the words are shorter than three letters, or there are none', () => {
    for (const over of [{ workspaceName: 'X' }, { workspaceName: '🚀' }, { name: 'Li', email: 'l@q.example' }])
      expect(basisOf('xli-q-98765', { name: '', email: '', ...over })).toBeNull();
  });
});

test('the check takes a short time for any name and password', () => {
  const started = performance.now();
  for (const letter of ['i', 's', 'a'])
    for (const name of [`${letter.repeat(63)}x`, letter.repeat(3)])
      basisOf('!1$5@4'.repeat(166), { workspaceName: letter.repeat(64), name });
  expect(performance.now() - started).toBeLessThan(500);
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
