import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  hasTokenFormat,
  type IssuedPersonalToken,
  PERSONAL_TOKEN_PREFIX,
  type PersonalToken,
  type Session,
} from '@hub/contract';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import {
  callerWith,
  createUser,
  outcomeOf,
  signIn,
  type TestUser,
  tokenOf,
  type UserCaller,
} from '@hub/testkit/in-process/users';
import { flushUsers } from '../../access/credential-use.ts';

let hub: TestHub;
let ada: TestUser;
let session: UserCaller;
beforeEach(async () => {
  hub = await startTestHub();
  ada = await createUser(hub);
  session = await signIn(hub, ada);
});
afterEach(() => hub[Symbol.asyncDispose]());

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

  test('has the rights of its user, except creating tokens and changing the password', async () => {
    const token = await tokenOf(hub, ada);
    expect((await token.json('GET', '/me')).status).toBe(200);
    expect((await token.json('PATCH', '/me', { name: 'Grace' })).body).toMatchObject({ name: 'Grace' });
    expect((await token.json('GET', '/me/tokens')).status).toBe(200);
    expect(outcomeOf(await token.json('POST', '/me/tokens', { name: 'more' }))).toBe(ONLY_SESSION);
    expect((await token.json('GET', '/invitations')).status).toBe(403);
    const admin = await tokenOf(hub, await createUser(hub, { role: 'admin' }));
    expect((await admin.json('GET', '/users')).status).toBe(200);
  });

  test('works until the exact moment it expires, and stays in the list', async () => {
    const { body } = await make({ name: 'x', lifetimeSeconds: 60 });
    expect(body.expiresAt).toBe('2026-03-01T09:31:00.000Z');
    hub.clock.advance(59_999);
    expect((await withToken(body.token).json('GET', '/me')).status).toBe(200);
    hub.clock.advance(1);
    expect(outcomeOf(await withToken(body.token).json('GET', '/me'))).toStartWith(
      '401 This personal access token is invalid',
    );
    expect((await list()).items).toHaveLength(1);
  });

  test('shows its last use to within a minute, with the address', async () => {
    const { body } = await make({ name: 'x' });
    hub.setClientAddress('198.51.100.7');
    await withToken(body.token).json('GET', '/me');
    await flushUsers(hub.deps);
    expect((await list()).items[0]).toMatchObject({
      lastUsedAt: '2026-03-01T09:30:00.000Z',
      lastUsedAddress: '198.51.100.7',
    });
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
    const outcomes: Record<string, string> = {};
    for (const [method, path] of [
      ['DELETE', `/me/tokens/${first.id}`],
      ['DELETE', '/me/tokens/pat_none'],
      ['GET', '/me/sessions'],
      ['DELETE', `/me/sessions/${sessions[0]?.id}`],
      ['DELETE', '/session'],
    ] as const)
      outcomes[`${method} ${path}`] = outcomeOf(await thief.json(method, path));
    expect(outcomes).toEqual({
      [`DELETE /me/tokens/${first.id}`]: ONLY_ITSELF,
      'DELETE /me/tokens/pat_none': '404 There is no personal access token pat_none.',
      'GET /me/sessions': ONLY_SESSION,
      [`DELETE /me/sessions/${sessions[0]?.id}`]: ONLY_SESSION,
      'DELETE /session': ONLY_SESSION,
    });
    expect([
      (await session.json('GET', '/me')).status,
      (await withToken(first.token).json('GET', '/me')).status,
    ]).toEqual([200, 200]);
    expect((await session.json('DELETE', `/me/tokens/${second.id}`)).status).toBe(200);
    expect((await thief.json('GET', '/me')).status).toBe(401);
  });

  test('returns 401 once it has been revoked, and can revoke itself; both revocations are audited', async () => {
    const [first, second] = [(await make({ name: 'first' })).body, (await make({ name: 'second' })).body];
    const { status, body } = await session.json<PersonalToken>('DELETE', `/me/tokens/${first.id}`);
    expect([status, body.name]).toEqual([200, 'first']);
    expect((await withToken(first.token).json('GET', '/me')).status).toBe(401);
    expect((await withToken(second.token).json('DELETE', `/me/tokens/${second.id}`)).status).toBe(200);
    expect((await withToken(second.token).json('GET', '/me')).status).toBe(401);
    expect((await list()).items).toEqual([]);
    const actions = (await hub.admin.audit('?limit=4')).items.map(({ action, targetId }) => [action, targetId]);
    expect(actions).toEqual([
      ['token.revoked', second.id],
      ['token.revoked', first.id],
      ['token.created', second.id],
      ['token.created', first.id],
    ]);
  });
});
