import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { IssuedLink } from '@hub/contract';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, createUser, outcomeOf, redeem, signIn, tokenIn } from '@hub/testkit/in-process/users';
import { ENTRY_BYTES, isCommonPassword } from './common-passwords.ts';

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

test('finds a common password with surrounding punctuation', () => {
  for (const common of ['Passw0rd!', 'Password1!?', '*iloveyou1*', '!!trustno1']) {
    expect([common, isCommonPassword(common)]).toEqual([common, true]);
  }
  expect(isCommonPassword('iloveyou1*hub')).toBe(false);
});

test('finds passwords that are only a repetition or sequence, but not longer ones that contain one', () => {
  const regular = ['aaaaaaaa', '00000000', '12341234', 'abcabcab', 'Abcdefgh', 'hgfedcba', '23456789', '9876543210987'];
  for (const common of regular) expect([common, isCommonPassword(common)]).toEqual([common, true]);
  for (const other of ['aaaaaaaab7', 'abcdefgh and Hub', '1234-5432-12', 'abcdeabcde', '83927465']) {
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

  test('when an account is created and when its password is changed', async () => {
    await using hub = await startTestHub();
    const body = { email: 'bob@example.org', name: 'Bob', password: 'sunshine' };
    expect(outcomeOf(await adminJson(hub, 'POST', '/users', body))).toBe(`400 password ${COMMON}`);
    const user = await createUser(hub);
    const change = { currentPassword: user.password, newPassword: 'SUNSHINE' };
    expect(outcomeOf(await (await signIn(hub, user)).json('PUT', '/me/password', change))).toBe(
      `400 newPassword ${COMMON}`,
    );
  });
});
