import { expect, test } from 'bun:test';
import type { Invitation, IssuedInvitation, IssuedLink } from '@hub/contract';
import { outcomeOf } from '@hub/testkit/admin';
import { perTest } from '@hub/testkit/in-process/shared';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import {
  callerWith,
  cookieOf,
  createUser,
  inspect,
  redeem,
  signedIn,
  tokenIn,
  trySignIn,
} from '@hub/testkit/in-process/users';

const DAY_MS = 24 * 60 * 60 * 1000;
const EMAIL = 'grace@example.org';
const NEW_USER = { name: 'Grace', password: 'a good password' };

const hub = perTest(startTestHub);
const admin = perTest(() => signedIn(hub, { role: 'admin', name: 'Anton' }));
const invite = (over: object = {}) => admin.json<IssuedInvitation>('POST', '/invitations', { email: EMAIL, ...over });
const invited = async (over: object = {}) => tokenIn(hub, (await invite(over)).body.link, '/join');
const open = () => admin.request('GET /invitations');

/** Returns the Hubs of the session that a response starts. */
const hubsOf = async ({ headers }: { headers: Headers }) =>
  (await callerWith(hub, admin.user, { cookie: cookieOf({ headers }) }).request('GET /hubs')).items;

test('an invitation is a link that is shown once, and ends after exactly seven days', async () => {
  const { id: hubId } = await hub.admin.createHub();
  const { status, body } = await invite({ email: ' Grace@Example.org', role: 'admin', hubIds: [hubId, hubId] });
  expect(status).toBe(201);
  const { link, isMailed, ...shown } = body;
  const expiresAt = '2026-03-08T09:30:00.000Z';
  expect([isMailed, shown] as unknown[]).toEqual([
    false,
    {
      ...{ id: expect.stringMatching(/^lnk_/), email: EMAIL, role: 'admin', hubIds: [hubId], expiresAt },
      createdAt: '2026-03-01T09:30:00.000Z',
      createdBy: { kind: 'user', id: admin.user.id, name: 'Anton' },
    },
  ]);
  expect(await open()).toEqual({ items: [shown], next: null });
  const token = tokenIn(hub, link, '/join');
  const info = { kind: 'invitation' as const, email: EMAIL, workspaceName: 'Hub', expiresAt };
  expect((await inspect(hub, token)).body).toEqual(info);
  expect(JSON.stringify([await hub.admin.audit(), hub.logged])).not.toContain(token);
  hub.clock.advance(7 * DAY_MS - 1);
  expect([(await inspect(hub, token)).status, (await open()).items.length]).toEqual([200, 1]);
  hub.clock.advance(1);
  expect([(await inspect(hub, token)).status, (await open()).items.length]).toEqual([404, 0]);
  expect((await redeem(hub, { token, ...NEW_USER })).status).toBe(404);
  await hub.prune();
  expect(await hub.store.users.listInvitations({ limit: 10, now: 0 })).toEqual([]);
});

test('an invitation creates the account with its role and Hubs when it is accepted, once, and signs the user in', async () => {
  const [first, second] = [await hub.admin.createHub('A'), await hub.admin.createHub('B')];
  const { body: issued } = await invite({ hubIds: [first.id, second.id] });
  const token = tokenIn(hub, issued.link, '/join');
  await hub.admin.deleteHub(second.id);
  const accepted = await redeem(hub, { token, ...NEW_USER });
  const { body } = accepted;
  expect(accepted).toMatchObject({ status: 201, body: { email: EMAIL, name: 'Grace', role: 'member' } });
  expect(await hubsOf(accepted)).toMatchObject([{ id: first.id }]);
  expect((await trySignIn(hub, { email: EMAIL, password: NEW_USER.password })).status).toBe(201);
  expect((await open()).items).toEqual([]);
  const entry = { actor: { kind: 'user', id: body.id, name: 'Grace' }, details: { invitationId: issued.id } };
  const { items } = await hub.admin.audit(`?actorId=${body.id}`);
  expect(items.filter(({ action }) => !action.startsWith('session.'))).toMatchObject([
    { action: 'user.created', ...entry },
    { action: 'member.added', hubId: first.id, ...entry },
  ]);
  expect((await redeem(hub, { token, ...NEW_USER })).status).toBe(404);
});

test('an invitation returns 409 and says what to do if the address already has an account', async () => {
  const user = await createUser(hub);
  const again = (email: string) => admin.outcome('POST', '/invitations', { email });
  const error = `409 ${user.email} already has an account`;
  expect(await again(user.email.toUpperCase())).toBe(`${error}. Add this user to Hubs instead.`);
  await admin.json('POST', `/users/${user.id}/deactivation`);
  expect(await again(user.email)).toBe(`${error}, which is disabled. Enable it instead.`);
});

test('an invitation can be withdrawn, which makes its link invalid, and becomes invalid when its creator loses the admin role', async () => {
  const { body } = await invite();
  const withdraw = (id = body.id) => admin.json<Invitation & { message: string }>('DELETE', `/invitations/${id}`);
  const response = await withdraw();
  expect([response.status, response.body.email]).toEqual([200, EMAIL]);
  expect((await inspect(hub, tokenIn(hub, body.link, '/join'))).status).toBe(404);
  expect(outcomeOf(await withdraw())).toBe(`404 There is no invitation ${body.id}.`);
  expect(outcomeOf(await withdraw('%ff'))).toBe('404 There is no invitation with this id.');
  const actions = (await hub.admin.audit('?limit=2')).items.map(({ action }) => action);
  expect(actions).toEqual(['invitation.withdrawn', 'user.invited']);
  const token = await invited();
  await hub.admin.raw('PATCH', `/users/${admin.user.id}`, { role: 'member' });
  expect((await inspect(hub, token)).status).toBe(404);
});

const OWNER = { email: 'Ada@example.org', name: 'Ada', password: 'a good password' };

async function setupToken(): Promise<string> {
  const { link, expiresAt } = await hub.admin.request('POST /setup-link', {});
  expect(expiresAt).toBeNull();
  return tokenIn(hub, link, '/setup');
}

test('setting up the workspace with the link creates the owner and their first Hub, names the workspace, and signs the owner in', async () => {
  const token = await setupToken();
  const info = { kind: 'setup' as const, email: null, workspaceName: 'Hub', expiresAt: null };
  expect((await inspect(hub, token)).body).toEqual(info);
  const response = await redeem(hub, { token, ...OWNER, hubName: ' Releases ', workspaceName: ' Example Ltd ' });
  const owner = { email: 'ada@example.org', role: 'owner' as const, workspace: { name: 'Example Ltd' } };
  expect(response).toMatchObject({ status: 201, body: owner });
  expect(await hubsOf(response)).toMatchObject([{ name: 'Releases', isMember: true }]);
  expect((await trySignIn(hub, OWNER)).status).toBe(201);
  const actions = (await hub.admin.audit('?limit=4')).items.map(({ action, actor }) => `${action} by ${actor.name}`);
  const [started, created] = ['session.started by Ada', 'hub.created by Ada'];
  expect(actions).toEqual([started, created, 'workspace.set_up by Ada', 'link.created by local admin']);
});

test('setting up the workspace twice at the same moment creates one owner', async () => {
  const link = { token: await setupToken(), ...OWNER };
  const both = await Promise.all([redeem(hub, link), redeem(hub, { ...link, email: 'eve@example.org' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 404]);
  expect((await hub.admin.request('GET /users')).items).toHaveLength(2);
});

test('the setup link is valid until there is an owner, however long that takes and however the owner was created', async () => {
  const token = await setupToken();
  hub.clock.advance(400 * DAY_MS);
  await hub.prune();
  expect((await inspect(hub, token)).status).toBe(200);
  await createUser(hub, { role: 'owner' });
  expect((await redeem(hub, { token, ...OWNER })).status).toBe(404);
  expect(await hub.admin.outcome('POST', '/setup-link')).toBe(
    '409 The workspace is already set up. Ask an owner or admin for an invitation.',
  );
});

test('an invalid link returns 404 and says what to do, whatever the reason, and is slowed if tried too often', async () => {
  const token = await setupToken();
  hub.setClientAddress('198.51.100.7');
  const before = hub.clock.now();
  for (const wrong of [`${token}x`, token.slice(0, -1), 'hub_lnk_', 'hub_pat_'.concat(token.slice(8)), 'x']) {
    expect(outcomeOf(await inspect(hub, wrong))).toBe(
      '404 This link is invalid: it is incomplete, has expired, or was already used or replaced. Copy the whole link, or ask for a new one.',
    );
    expect((await redeem(hub, { token: wrong, ...OWNER })).status).toBe(404);
  }
  expect(hub.clock.now()).toBe(before);
  expect((await settleDelayed(hub.clock, redeem(hub, { token: 'x', ...OWNER }))).status).toBe(404);
  expect(hub.clock.now()).toBeGreaterThan(before);
  const fields = { address: '198.51.100.7' };
  expect(hub.logged).toContainEqual({ level: 'warn', message: 'Invalid link used', fields });
  expect((await inspect(hub, token)).status).toBe(200);
});

const create = {
  setup: ['/setup', '/setup-link', undefined],
  invitation: ['/join', '/invitations', { email: 'grace@example.org' }],
  password_reset: ['/reset', '', undefined],
} as const;
test.each(Object.entries(create))(
  'of links for the same purpose that are created at the same moment, only one works: %s',
  async (kind, [page, path, body]) => {
    const route = kind === 'password_reset' ? `/users/${(await createUser(hub)).id}/password-reset` : path;
    const issued = await Promise.all(Array.from({ length: 16 }, () => hub.admin.json<IssuedLink>('POST', route, body)));
    expect(issued.map(({ status }) => status)).toEqual(Array(16).fill(201));
    const inspections = Promise.all(issued.map(({ body }) => inspect(hub, tokenIn(hub, body.link, page))));
    const inspected = await settleDelayed(hub.clock, inspections);
    expect(inspected.filter(({ status }) => status === 200)).toHaveLength(1);
  },
);
