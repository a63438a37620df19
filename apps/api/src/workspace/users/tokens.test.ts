import { beforeEach, describe, expect, test } from 'bun:test';
import {
  hasTokenFormat,
  type IssuedPersonalToken,
  PERSONAL_TOKEN_PREFIX,
  type PersonalToken,
  type Session,
} from '@hub/contract';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import {
  callerWith,
  createUser,
  outcomeOf,
  signIn,
  type TestUser,
  type UserCaller,
} from '@hub/testkit/in-process/users';
import { flushUsers } from '../../access/credentials.ts';

const hub = perTest(startTestHub);
let [ada, session] = [{} as TestUser, {} as UserCaller];
beforeEach(async () => {
  ada = await createUser(hub);
  session = await signIn(hub, ada);
});

const ONLY_SESSION = '403 Personal access tokens cannot do this. Sign in with your password.';
const ONLY_ITSELF = '403 A personal access token can revoke only itself. To revoke others, sign in with your password.';

const make = (body: object, caller = session) => caller.json<IssuedPersonalToken>('POST', '/me/tokens', body);
const list = async (query = '') =>
  (await session.json<{ items: PersonalToken[]; next: string | null }>('GET', `/me/tokens${query}`)).body;
const withToken = (token: string) => callerWith(hub, ada, { authorization: `Bearer ${token}` });

describe('a personal access token', () => {
  test('has the format of a key, is shown once, and appears in lists with only its last four characters', async () => {
    const { status, body } = await make({ name: ' hubctl on my laptop ' });
    expect(status).toBe(201);
    expect(hasTokenFormat(PERSONAL_TOKEN_PREFIX, body.token)).toBe(true);
    const { token, ...shown } = body;
    expect(shown).toEqual({
      id: expect.stringMatching(/^pat_/) as unknown as string,
      name: 'hubctl on my laptop',
      hint: `hub_pat_…${token.slice(-4)}`,
      createdAt: '2026-03-01T09:30:00.000Z',
      expiresAt: null,
      lastUsedAt: null,
      lastUsedAddress: null,
      isCurrent: false,
    });
    expect(await list()).toEqual({ items: [shown], next: null });
    expect(JSON.stringify([await hub.admin.audit(), hub.logged])).not.toContain(token);
  });

  test('works until the exact moment it expires, stays in the list, and shows its last use with the address', async () => {
    const { body } = await make({ name: 'x', lifetimeSeconds: 60 });
    expect(body.expiresAt).toBe('2026-03-01T09:31:00.000Z');
    hub.clock.advance(59_999);
    hub.setClientAddress('198.51.100.7');
    expect((await withToken(body.token).json('GET', '/me')).status).toBe(200);
    hub.clock.advance(1);
    const late = outcomeOf(await withToken(body.token).json('GET', '/me'));
    expect(late).toStartWith('401 This personal access token is invalid');
    await flushUsers(hub.deps);
    const use = { lastUsedAt: '2026-03-01T09:30:59.999Z', lastUsedAddress: '198.51.100.7' };
    expect((await list()).items).toMatchObject([use]);
  });

  test('can list the tokens and revoke itself, but neither revoke another one nor list or end sessions', async () => {
    const [first, second] = [(await make({ name: 'first' })).body, (await make({ name: 'second' })).body];
    const sessions = (await session.json<{ items: Session[] }>('GET', '/me/sessions')).body.items;
    const thief = withToken(second.token);
    const { items } = (await thief.json<{ items: PersonalToken[] }>('GET', '/me/tokens')).body;
    expect(items.map(({ name, isCurrent }) => [name, isCurrent])).toEqual([
      ['second', true],
      ['first', false],
    ]);
    for (const [method, path, outcome] of [
      ['DELETE', `/me/tokens/${first.id}`, ONLY_ITSELF],
      ['DELETE', '/me/tokens/pat_none', '404 There is no personal access token pat_none.'],
      ['GET', '/me/sessions', ONLY_SESSION],
      ['DELETE', `/me/sessions/${sessions[0]?.id}`, ONLY_SESSION],
      ['DELETE', '/session', ONLY_SESSION],
      ['POST', '/me/tokens', ONLY_SESSION],
    ] as const)
      expect([path, outcomeOf(await thief.json(method, path, method === 'POST' ? { name: 'x' } : undefined))]).toEqual([
        path,
        outcome,
      ]);
    const statusOf = async (token: string) => (await withToken(token).json('GET', '/me')).status;
    expect([(await session.json('GET', '/me')).status, await statusOf(first.token)]).toEqual([200, 200]);
    const { status, body } = await session.json<PersonalToken>('DELETE', `/me/tokens/${first.id}`);
    expect([status, body.name, await statusOf(first.token)]).toEqual([200, 'first', 401]);
    expect((await thief.json('DELETE', `/me/tokens/${second.id}`)).status).toBe(200);
    expect([await statusOf(second.token), (await list()).items]).toEqual([401, []]);
    const actions = (await hub.admin.audit('?limit=4')).items.map(({ action, targetId }) => [action, targetId]);
    expect(actions).toEqual([
      ['token.revoked', second.id],
      ['token.revoked', first.id],
      ['token.created', second.id],
      ['token.created', first.id],
    ]);
  });
});
