import { describe, expect, test } from 'bun:test';
import { outcomeOf } from '@hub/testkit/admin';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, redeem, signedIn, tokenIn } from '@hub/testkit/in-process/users';
import { nameKeys } from './display-names.ts';

const areAlike = (...names: [string, string]) => {
  const [one, other] = names.map(nameKeys);
  return one?.caselessName === other?.caselessName || one?.skeletonName === other?.skeletonName;
};

test.each([
  ['in another letter case', 'Ada Lovelace', 'ADA lovelace'],
  ['in another letter case outside of ASCII', 'Ηλίας Βασιλείου', 'ΗΛΊΑΣ ΒΑΣΙΛΕΊΟΥ'],
  ['with other white space', 'Ada Lovelace', ' Ada \u00a0 Lovelace'],
  ['in full width', 'Ada', 'Ａｄａ'],
  ['as mathematical letters', 'Ada', '𝓐𝓭𝓪'],
  ['with a ligature', 'Sofia', 'Soﬁa'],
  ['with Cyrillic letters', 'Ada', 'Аdа'],
  ['with Cyrillic letters alone', 'ABBA', 'АВВА'],
  ['with a Greek capital', 'Helen', 'Ηelen'],
  ['with a Greek small letter', 'Steve', 'Steνe'],
  ['with a Greek capital among small letters that are replaced', 'Kevin', 'Κeνin'],
  ['with digits', 'Bob', 'B0b'],
  ['with an I for an l', 'Paul', 'PauI'],
  ['with two letters that look like one', 'Kim', 'Kirn'],
  ['with a sharp s', 'Strauß', 'STRAUSS'],
  ['with another final sigma', 'Ηλίας', 'Ηλίασ'],
  ['with combining marks', 'José', 'Jose\u0301'],
  ['with an invisible character', 'می\u200cخواهم', 'میخواهم'],
])('names are alike %s', (_, one, other) => expect(areAlike(one, other)).toBeTrue());

test('other names are different', () => {
  for (const [one, other] of [
    ['Ada Lovelace', 'Ada Byron'],
    ['José', 'Jose'],
    ['Anna', 'Ana'],
    ['田中', '田中太郎'],
    ['Надя', 'Наля'],
    ['User 1', 'User 2'],
  ] as const)
    expect([one, areAlike(one, other)]).toEqual([one, false]);
});

describe('a display name', () => {
  const hub = perTest(startTestHub);
  const owner = perTest(() => signedIn(hub, { role: 'owner', name: 'Ada Lovelace' }));

  const PASSWORD = 'a good password';
  const taken =
    '409 The name “Аda Lovelace” is too similar to “Ada Lovelace”. Choose another one, such as one with a last name.';
  const create = (name: string) => owner.json('POST', '/users', { email: 'new@example.org', name, password: PASSWORD });

  test('cannot be like that of another user when an account is created, renamed or an invitation accepted', async () => {
    const bob = await signedIn(hub, { name: 'Bob Kahn' });
    expect(outcomeOf(await create('Аda Lovelace'))).toBe(taken);
    expect(outcomeOf(await create('Ada Lovelace'))).toStartWith('409 The name “Ada Lovelace” is already taken.');
    expect(await bob.outcome('PATCH', '/me', { name: 'Аda Lovelace' })).toBe(taken);
    expect(await owner.outcome('PATCH', `/users/${bob.user.id}`, { name: 'Аda Lovelace' })).toBe(taken);
    // Users can change the letter case of their own names.
    expect(await bob.outcome('PATCH', '/me', { name: 'BOB KAHN' })).toStartWith('200');
    // The former name is free again.
    expect(await bob.outcome('PATCH', '/me', { name: 'Robert Kahn' })).toStartWith('200');
    expect(outcomeOf(await create('Bob Kahn'))).toStartWith('201');
    // An invitation can be accepted with another one.
    const { link } = await hub.admin.request('POST /invitations', { body: { email: 'newer@example.org' } });
    const accept = async (name: string) =>
      outcomeOf(await redeem(hub, { token: tokenIn(hub, link, '/join'), name, password: PASSWORD }));
    expect([await accept('Аda Lovelace'), await accept('New')]).toEqual([taken, '201']);
  });

  test('of a disabled user stays taken, since their messages still show it, until an admin renames them', async () => {
    const { id } = await createUser(hub, { name: 'Gone' });
    await owner.json('POST', `/users/${id}/deactivation`);
    expect(outcomeOf(await create('Gone'))).toStartWith('409 The name “Gone” is already taken.');
    await owner.json('PATCH', `/users/${id}`, { name: 'Gone (until 2026)' });
    expect(outcomeOf(await create('Gone'))).toStartWith('201');
  });

  test('cannot pass for the bot, the server or a role, nor that of the bot for another', async () => {
    for (const name of 'Bot,B0t,server,ЅERVER,Local Admin,hub,Here,everyone,Adm1n,Owner,System'.split(','))
      expect(outcomeOf(await create(name))).toMatch(/^409 The name .* is (reserved|too similar to that of the bot)\./);
    const rename = (botName: string) => owner.outcome('PATCH', '/workspace', { botName });
    expect(await rename('Аda Lovelace')).toBe(taken);
    expect(await rename('Robot')).toStartWith('200');
    expect(outcomeOf(await create('Rоbot'))).toBe(
      '409 The name “Rоbot” is too similar to that of the bot. Choose another one.',
    );
    expect(await rename('Hub')).toStartWith('200');
    for (const name of ['server', 'Аdmin', 'local-admin', '@here'])
      expect(await rename(name)).toBe(`409 The name “${name}” is reserved. Choose another one.`);
  });

  test('goes to one of several users who take it at the same moment', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, (_, n) => signedIn(hub, { name: `Person ${n}` })));
    const made = await Promise.all([
      ...users.map(({ json }, n) => json('PATCH', '/me', { name: n % 2 === 0 ? 'Grace' : 'GRАCE' })),
      create('Grасe'),
      owner.json('PATCH', '/workspace', { botName: 'Grace' }),
    ]);
    expect(made.map(({ status }) => (status === 409 ? 409 : 200)).toSorted()).toEqual([200, ...Array(7).fill(409)]);
  });
});
