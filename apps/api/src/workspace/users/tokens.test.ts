import { expect, test } from 'bun:test';
import { hasTokenFormat, type IssuedPersonalToken, PERSONAL_TOKEN_PREFIX, type PersonalToken } from '@hub/contract';
import { outcomeOf } from '@hub/testkit/admin';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { callerWith, signedIn } from '@hub/testkit/in-process/users';

const hub = perTest(startTestHub);
const session = perTest(() => signedIn(hub));

const ONLY_SESSION = '403 Personal access tokens cannot do this. Sign in with your password.';
const ONLY_ITSELF = '403 A personal access token can revoke only itself. To revoke others, sign in with your password.';

const make = (body: object) => session.call<IssuedPersonalToken>('POST', '/me/tokens', body);
const list = () => session.request('GET /me/tokens');
const withToken = (token: string) => callerWith(hub, session.user, { authorization: `Bearer ${token}` });

test('a personal access token has the format of a key, is shown once, and appears in lists with only its last four characters', async () => {
  const { token, ...shown } = await make({ name: ' hubctl on my laptop ' });
  expect(hasTokenFormat(PERSONAL_TOKEN_PREFIX, token)).toBe(true);
  expect(shown as unknown).toEqual({
    ...{ id: expect.stringMatching(/^pat_/), name: 'hubctl on my laptop', hint: `hub_pat_…${token.slice(-4)}` },
    ...{ createdAt: '2026-03-01T09:30:00.000Z', expiresAt: null, lastUsedAt: null, lastUsedAddress: null },
    isCurrent: false,
  });
  expect(await list()).toEqual({ items: [shown], next: null });
  expect(JSON.stringify([await hub.admin.audit(), hub.logged])).not.toContain(token);
});

test('a personal access token works until the exact moment it expires, stays in the list, and shows its last use with the address', async () => {
  const { token, expiresAt } = await make({ name: 'x', lifetimeSeconds: 60 });
  expect(expiresAt).toBe('2026-03-01T09:31:00.000Z');
  hub.clock.advance(59_999);
  hub.setClientAddress('198.51.100.7');
  expect((await withToken(token).json('GET', '/me')).status).toBe(200);
  hub.clock.advance(1);
  expect(outcomeOf(await withToken(token).json('GET', '/me'))).toStartWith('401 This personal access token is invalid');
  await hub.flushUsers();
  const use = { lastUsedAt: '2026-03-01T09:30:59.999Z', lastUsedAddress: '198.51.100.7' };
  expect((await list()).items).toMatchObject([use]);
});

test('a personal access token can list the tokens and revoke itself, but neither revoke another one nor list or end sessions', async () => {
  const [first, second] = [await make({ name: 'first' }), await make({ name: 'second' })];
  const sessions = (await session.request('GET /me/sessions')).items;
  const thief = withToken(second.token);
  const { items } = await thief.request('GET /me/tokens');
  expect(items).toMatchObject([
    { name: 'second', isCurrent: true },
    { name: 'first', isCurrent: false },
  ]);
  for (const [method, path, outcome] of [
    ['DELETE', `/me/tokens/${first.id}`, ONLY_ITSELF],
    ['DELETE', '/me/tokens/pat_none', '404 There is no personal access token pat_none.'],
    ['GET', '/me/sessions', ONLY_SESSION],
    ['DELETE', `/me/sessions/${sessions[0]?.id}`, ONLY_SESSION],
    ['DELETE', '/session', ONLY_SESSION],
  ] as const)
    expect([path, await thief.outcome(method, path)]).toEqual([path, outcome]);
  const statusOf = async (token: string) => (await withToken(token).json('GET', '/me')).status;
  expect([(await session.json('GET', '/me')).status, await statusOf(first.token)]).toEqual([200, 200]);
  const { status, body } = await session.json<PersonalToken>('DELETE', `/me/tokens/${first.id}`);
  expect([status, body.name, await statusOf(first.token)]).toEqual([200, 'first', 401]);
  expect((await thief.json('DELETE', `/me/tokens/${second.id}`)).status).toBe(200);
  expect([await statusOf(second.token), (await list()).items]).toEqual([401, []]);
  const { items: entries } = await hub.admin.audit('?action=token.revoked');
  expect(entries.map(({ targetId }) => targetId)).toEqual([second.id, first.id]);
});
