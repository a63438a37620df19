import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Invitation, IssuedInvitation } from '@hub/contract';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import {
  createUser,
  inspect,
  outcomeOf,
  redeem,
  signedIn,
  tokenIn,
  trySignIn,
  type UserCaller,
} from '@hub/testkit/in-process/users';
import { prune } from '../../ops/prune.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EMAIL = 'grace@example.org';
const NEW_USER = { name: 'Grace', password: 'a good password' };

let hub: TestHub;
let admin: UserCaller;
beforeEach(async () => {
  hub = await startTestHub();
  admin = await signedIn(hub, { role: 'admin', name: 'Anton' });
});
afterEach(() => hub[Symbol.asyncDispose]());

const invite = (over: object = {}) => admin.json<IssuedInvitation>('POST', '/invitations', { email: EMAIL, ...over });
const invited = async (over: object = {}) => tokenIn(hub, (await invite(over)).body.link, '/join');
const open = async (query = '') =>
  (await admin.json<{ items: Invitation[]; next: string | null }>('GET', `/invitations${query}`)).body;

describe('an invitation', () => {
  test('is a link that is valid for seven days and shown once', async () => {
    const { id: hubId } = await hub.admin.createHub();
    const { status, body } = await invite({ email: ' Grace@Example.org', role: 'admin', hubIds: [hubId, hubId] });
    expect(status).toBe(201);
    const { link, ...shown } = body;
    expect(shown).toEqual({
      id: expect.stringMatching(/^lnk_/) as unknown as string,
      email: EMAIL,
      role: 'admin',
      hubIds: [hubId],
      createdAt: '2026-03-01T09:30:00.000Z',
      createdBy: { kind: 'user', id: admin.user.id, name: 'Anton' },
      expiresAt: '2026-03-08T09:30:00.000Z',
    });
    expect(await open()).toEqual({ items: [shown], next: null });
    const token = tokenIn(hub, link, '/join');
    expect((await inspect(hub, token)).body).toEqual({
      kind: 'invitation',
      email: EMAIL,
      workspaceName: 'Hub',
      expiresAt: '2026-03-08T09:30:00.000Z',
    });
    expect(JSON.stringify([await hub.admin.audit(), hub.logged])).not.toContain(token);
  });

  test('creates the account with its role and Hubs when accepted, and signs the user in', async () => {
    const [first, second] = [await hub.admin.createHub('A'), await hub.admin.createHub('B')];
    const { body: issued } = await invite({ hubIds: [first.id, second.id] });
    const token = tokenIn(hub, issued.link, '/join');
    await hub.admin.deleteHub(second.id);
    const { status, body, headers } = await redeem(hub, { token, ...NEW_USER });
    expect([status, body.email, body.name, body.role]).toEqual([201, EMAIL, 'Grace', 'member']);
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const hubs = await hub.fetch('/api/v1/hubs', { headers: { cookie } });
    const ids = ((await hubs.json()) as { items: { id: string }[] }).items.map(({ id }) => id);
    expect(ids).toEqual([first.id]);
    expect((await trySignIn(hub, { email: EMAIL, password: NEW_USER.password })).status).toBe(201);
    expect((await open()).items).toEqual([]);
    const { items } = await hub.admin.audit();
    const grace = { kind: 'user', id: body.id, name: 'Grace' };
    const details = expect.objectContaining({ invitationId: issued.id }) as never;
    expect(items).toContainEqual(expect.objectContaining({ action: 'user.created', actor: grace, details }) as never);
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'member.added', hubId: first.id, actor: grace, details }) as never,
    );
  });

  test('works once', async () => {
    const token = await invited();
    await redeem(hub, { token, ...NEW_USER });
    expect((await redeem(hub, { token, ...NEW_USER })).status).toBe(404);
  });

  test('replaces a pending one for the same address', async () => {
    const [former, next] = [await invited(), await invited({ role: 'admin' })];
    expect([(await inspect(hub, former)).status, (await inspect(hub, next)).status]).toEqual([404, 200]);
    expect((await open()).items.map(({ role }) => role)).toEqual(['admin']);
  });

  test('returns 409 and says what to do if the address already has an account', async () => {
    const user = await createUser(hub);
    expect(outcomeOf(await admin.json('POST', '/invitations', { email: user.email.toUpperCase() }))).toBe(
      `409 ${user.email} already has an account. Add this user to Hubs instead.`,
    );
    await admin.json('POST', `/users/${user.id}/deactivation`);
    expect(outcomeOf(await admin.json('POST', '/invitations', { email: user.email }))).toBe(
      `409 ${user.email} already has an account, which is disabled. Enable it instead.`,
    );
  });

  test('expires after exactly seven days', async () => {
    const token = await invited();
    hub.clock.advance(7 * DAY_MS - 1);
    expect([(await inspect(hub, token)).status, (await open()).items.length]).toEqual([200, 1]);
    hub.clock.advance(1);
    expect([(await inspect(hub, token)).status, (await open()).items.length]).toEqual([404, 0]);
    expect((await redeem(hub, { token, ...NEW_USER })).status).toBe(404);
    await prune(hub.deps);
    expect(await hub.store.users.listInvitations({ limit: 10, now: 0 })).toEqual([]);
  });

  test('can be withdrawn once, which makes its link invalid', async () => {
    const { body } = await invite();
    const withdraw = () => admin.json<Invitation>('DELETE', `/invitations/${body.id}`);
    const response = await withdraw();
    expect([response.status, response.body.email]).toEqual([200, EMAIL]);
    expect((await inspect(hub, tokenIn(hub, body.link, '/join'))).status).toBe(404);
    expect(outcomeOf(await admin.json('DELETE', `/invitations/${body.id}`))).toBe(
      `404 There is no invitation ${body.id}.`,
    );
    expect(outcomeOf(await admin.json('DELETE', '/invitations/%ff'))).toBe('404 There is no invitation with this id.');
    const actions = (await hub.admin.audit('?limit=2')).items.map(({ action }) => action);
    expect(actions).toEqual(['invitation.withdrawn', 'user.invited']);
  });

  test('becomes invalid when its creator loses the admin role', async () => {
    const token = await invited();
    await hub.admin.raw('PATCH', `/users/${admin.user.id}`, { role: 'member' });
    expect((await inspect(hub, token)).status).toBe(404);
  });

  test('requires existing Hubs, a valid address and a valid role', async () => {
    const deleted = await hub.admin.createHub();
    await hub.admin.deleteHub(deleted.id);
    const error = async (over: object) =>
      outcomeOf(await admin.json('POST', '/invitations', { email: EMAIL, ...over }));
    expect(await error({ hubIds: ['hub_0'] })).toBe('404 hubIds[0]: there is no Hub hub_0');
    expect(await error({ hubIds: [deleted.id] })).toStartWith('404 hubIds[0]: there is no Hub');
    expect(await error({ hubIds: 'hub_0' })).toStartWith('400 hubIds must be a list');
    expect(await error({ email: 'grace' })).toStartWith('400 email must be an e-mail address');
    expect(await error({ email: '' })).toStartWith('400 email is required');
    expect(await error({ role: 'guest' })).toStartWith('400 role must be one of');
    expect(await error({ name: 'Grace' })).toStartWith('400 name is not a field');
    expect((await open()).items).toEqual([]);
  });

  test('takes a name and a password when accepted, but none of the fields that the admin has set', async () => {
    const token = await invited();
    const error = async (over: object) => {
      const { status, body } = await redeem(hub, { token, ...NEW_USER, ...over });
      return `${status} ${body.message}`;
    };
    const fields = 'its fields are token, password, name';
    for (const name of ['email', 'hubName', 'workspaceName']) {
      const value = name === 'email' ? 'eve@example.org' : 'x';
      expect(await error({ [name]: value })).toBe(`400 ${name} is not a field of accepting an invitation; ${fields}`);
    }
    expect(await error({ name: null })).toBe('400 name is required in accepting an invitation');
    expect(await error({ password: EMAIL })).toStartWith('400 password must not be the e-mail address');
    expect((await redeem(hub, { token, ...NEW_USER })).status).toBe(201);
  });

  test('is listed for admins, newest first, with pagination', async () => {
    for (const name of ['a', 'b', 'c']) await invite({ email: `${name}@example.org` });
    const first = await open('?limit=2');
    expect(first.items.map(({ email }) => email)).toEqual(['c@example.org', 'b@example.org']);
    expect((await open(`?limit=2&before=${first.next}`)).items.map(({ email }) => email)).toEqual(['a@example.org']);
    const member = await signedIn(hub);
    for (const [method, path] of [
      ['GET', '/invitations'],
      ['POST', '/invitations'],
      ['DELETE', '/invitations/lnk_0'],
    ] as const) {
      expect((await member.json(method, path)).status).toBe(403);
    }
  });
});

test('accepting a link returns 403 from a page of another site, and works from a page of this server', async () => {
  const token = await invited();
  expect((await redeem(hub, { token, ...NEW_USER }, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await redeem(hub, { token, ...NEW_USER }, { origin: hub.origin })).status).toBe(201);
});
