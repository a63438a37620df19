import { describe, expect, test } from 'bun:test';
import type { IssuedLink, User } from '@hub/contract';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import {
  adminJson,
  createUser,
  inspect,
  outcomeOf,
  redeem,
  signedIn,
  tokenIn,
  trySignIn,
} from '@hub/testkit/in-process/users';
import { prune } from '../../ops/prune.ts';

const OWNER = { email: 'Ada@example.org', name: 'Ada', password: 'a good password' };

async function setupToken(hub: TestHub): Promise<string> {
  const { status, body } = await adminJson<IssuedLink>(hub, 'POST', '/setup-link');
  expect([status, body.expiresAt]).toEqual([201, null]);
  return tokenIn(hub, body.link, '/setup');
}

describe('setting up the workspace', () => {
  test('with the link creates the owner and their first Hub, names the workspace, and signs the owner in', async () => {
    await using hub = await startTestHub();
    const token = await setupToken(hub);
    expect((await inspect(hub, token)).body).toEqual({
      kind: 'setup',
      email: null,
      workspaceName: 'Hub',
      expiresAt: null,
    });
    const response = await redeem(hub, { token, ...OWNER, hubName: ' Releases ', workspaceName: ' Example Ltd ' });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      email: 'ada@example.org',
      role: 'owner',
      workspace: { name: 'Example Ltd' },
    });
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const hubs = await hub.fetch('/api/v1/hubs', { headers: { cookie } });
    expect(((await hubs.json()) as { items: object[] }).items).toEqual([
      expect.objectContaining({ name: 'Releases', isMember: true }) as never,
    ]);
    expect((await trySignIn(hub, OWNER)).status).toBe(201);
    const actions = (await hub.admin.audit()).items.map(({ action, actor }) => `${action} by ${actor.name}`);
    expect(actions).toEqual([
      'session.started by Ada',
      'hub.created by Ada',
      'workspace.set_up by Ada',
      'link.created by local admin',
    ]);
  });

  test('sets the last-seen time of the owner', async () => {
    await using hub = await startTestHub();
    const { body } = await redeem(hub, { token: await setupToken(hub), ...OWNER });
    const owner = await adminJson<User>(hub, 'GET', `/users/${body.id}`);
    expect(owner.body.lastSeenAt).toBe('2026-03-01T09:30:00.000Z');
  });

  test('requires neither a Hub nor a workspace name', async () => {
    await using hub = await startTestHub();
    const response = await redeem(hub, { token: await setupToken(hub), ...OWNER });
    expect([response.status, response.body.workspace.name]).toEqual([201, 'Hub']);
    expect((await hub.admin.listHubs()).items).toEqual([]);
  });

  test('works once, and the link is invalid afterwards', async () => {
    await using hub = await startTestHub();
    const token = await setupToken(hub);
    await redeem(hub, { token, ...OWNER });
    const again = await redeem(hub, { token, ...OWNER, email: 'eve@example.org' });
    expect([again.status, again.body.message?.slice(0, 24)]).toEqual([404, 'This link is invalid: it']);
    expect((await inspect(hub, token)).status).toBe(404);
  });

  test('twice at the same moment creates one owner', async () => {
    await using hub = await startTestHub();
    const token = await setupToken(hub);
    const both = await Promise.all([
      redeem(hub, { token, ...OWNER }),
      redeem(hub, { token, ...OWNER, email: 'eve@example.org' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 404]);
    const { body } = await adminJson<{ items: object[] }>(hub, 'GET', '/users');
    expect(body.items).toHaveLength(1);
  });

  test('requires an e-mail address, a name and a valid password; an error does not use up the link', async () => {
    await using hub = await startTestHub();
    const token = await setupToken(hub);
    const error = async (over: object) => {
      const { status, body } = await redeem(hub, { token, ...OWNER, ...over });
      return `${status} ${body.message}`;
    };
    expect(await error({ email: null })).toBe('400 email is required in a setup');
    expect(await error({ name: ' ' })).toBe('400 name is required in a setup');
    expect(await error({ email: 'ada' })).toStartWith('400 email must be an e-mail address');
    expect(await error({ password: 'short' })).toStartWith('400 password has 5 characters');
    expect(await error({ password: 'ada@EXAMPLE.org' })).toStartWith('400 password must not be the e-mail address');
    expect(await error({ hubName: 'x'.repeat(65) })).toStartWith('400 hubName has 65 characters');
    expect(await error({ role: 'owner' })).toStartWith('400 role is not a field');
    await hub.admin.createHub('Releases');
    expect(await error({ hubName: 'releases' })).toBe(
      '409 There is already a Hub named “Releases”. Choose another name.',
    );
    expect((await redeem(hub, { token, ...OWNER })).status).toBe(201);
  });
});

describe('the setup link', () => {
  test('replaces an earlier one', async () => {
    await using hub = await startTestHub();
    const [former, next] = [await setupToken(hub), await setupToken(hub)];
    expect([(await inspect(hub, former)).status, (await inspect(hub, next)).status]).toEqual([404, 200]);
  });

  test('is valid until there is an owner, however long that takes and however the owner was created', async () => {
    await using hub = await startTestHub();
    const token = await setupToken(hub);
    hub.clock.advance(400 * 24 * 60 * 60 * 1000);
    await prune(hub);
    expect((await inspect(hub, token)).status).toBe(200);
    await createUser(hub, { role: 'owner' });
    expect((await redeem(hub, { token, ...OWNER })).status).toBe(404);
    expect(outcomeOf(await adminJson(hub, 'POST', '/setup-link'))).toBe(
      '409 The workspace is already set up. Ask an owner or admin for an invitation.',
    );
  });

  test('returns 403 to admins, since it creates an owner', async () => {
    await using hub = await startTestHub();
    const admin = await signedIn(hub, { role: 'admin' });
    expect(outcomeOf(await admin.json('POST', '/setup-link'))).toStartWith(
      '403 Only the local admin of the server can create a setup link',
    );
  });

  test('appears only in the response, not in the log or the audit log', async () => {
    await using hub = await startTestHub();
    const token = await setupToken(hub);
    await redeem(hub, { token, ...OWNER });
    expect(JSON.stringify([hub.logged, await hub.admin.audit()])).not.toContain(token);
  });
});

describe('an invalid link', () => {
  test('returns 404 and says what to do, whatever the reason, and is slowed if tried too often', async () => {
    await using hub = await startTestHub();
    const token = await setupToken(hub);
    hub.setClientAddress('198.51.100.7');
    for (const wrong of [`${token}x`, token.slice(0, -1), 'hub_lnk_', 'hub_pat_'.concat(token.slice(8))]) {
      const { status, body } = await inspect(hub, wrong);
      expect([status, body.message]).toEqual([
        404,
        'This link is invalid: it is incomplete, has expired, or was already used or replaced. Copy the whole link, or ask for a new one.',
      ]);
      expect((await redeem(hub, { token: wrong, ...OWNER })).status).toBe(404);
    }
    await inspect(hub, 'x');
    await inspect(hub, 'x');
    const before = hub.clock.now();
    const slowed = settleDelayed(hub.clock, redeem(hub, { token: 'x', ...OWNER }));
    expect((await slowed).status).toBe(404);
    expect(hub.clock.now()).toBeGreaterThan(before);
    expect(hub.logged).toContainEqual({
      level: 'warn',
      message: 'Invalid link used',
      fields: { address: '198.51.100.7' },
    });
    expect((await inspect(hub, token)).status).toBe(200);
  });

  test('returns 400 if the token is not a string, or if the body has an unknown field', async () => {
    await using hub = await startTestHub();
    for (const body of [{}, { token: 7 }, { token: await setupToken(hub), kind: 'setup' }]) {
      expect((await redeem(hub, body)).status).toBe(400);
    }
  });

  test('returns 404 before other fields are checked, and counts as failed authentication', async () => {
    await using hub = await startTestHub();
    const before = hub.clock.now();
    for (let n = 0; n < 10; n += 1)
      expect((await redeem(hub, { token: 'x', name: 7, kind: 'setup' })).status).toBe(404);
    expect(hub.clock.now()).toBe(before);
    expect((await settleDelayed(hub.clock, inspect(hub, 'x'))).status).toBe(404);
    expect(hub.clock.now()).toBeGreaterThan(before);
  });
});

describe('of links for the same purpose that are created at the same moment, only one works', () => {
  const create = {
    setup: ['/setup', '/setup-link', undefined],
    invitation: ['/join', '/invitations', { email: 'grace@example.org' }],
    password_reset: ['/reset', '', undefined],
  } as const;
  test.each(Object.entries(create))('%s', async (kind, [page, path, body]) => {
    await using hub = await startTestHub();
    const route = kind === 'password_reset' ? `/users/${(await createUser(hub)).id}/password-reset` : path;
    const issued = await Promise.all(Array.from({ length: 16 }, () => adminJson<IssuedLink>(hub, 'POST', route, body)));
    expect(issued.map(({ status }) => status)).toEqual(Array(16).fill(201));
    const inspections = Promise.all(issued.map(({ body }) => inspect(hub, tokenIn(hub, body.link, page))));
    const inspected = await settleDelayed(hub.clock, inspections);
    expect(inspected.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
