import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AUDIT_ACTIONS, type AuditEntry, type Hub, type IssuedKey, type IssuedLink } from '@hub/contract';
import { addApp } from '@hub/testkit/in-process/factors';
import { startIdentityProvider } from '@hub/testkit/in-process/identity-provider';
import {
  isOnPostgres,
  post,
  startOnDatabase,
  startRestored,
  startTestHub,
  type TestHub,
} from '@hub/testkit/in-process/test-hub';
import {
  callerWith,
  cookieOf,
  redeem,
  signIn,
  tokenIn,
  type UserCaller,
  uploadFile,
} from '@hub/testkit/in-process/users';
import { RedirectBrowser } from './redirect-browser.ts';

const ADDRESS = '198.51.100.7';
const OWNER = { email: 'owner@example.org', name: 'Olga', password: 'the first secret' };
const ADA = { email: 'ada@example.org', name: 'Ada', password: 'the second secret' };
const NEW_PASSWORD = 'the third secret';

let hub: TestHub;
const entries: AuditEntry[] = [];
const secrets: string[] = [OWNER.password, ADA.password, NEW_PASSWORD, '$argon2'];

async function redeemed(link: string, page: '/setup' | '/reset', fields: object): Promise<UserCaller> {
  const token = tokenIn(hub, link, page);
  secrets.push(token);
  const response = await redeem(hub, { token, ...fields });
  expect(response.status).toBe(201);
  const cookie = cookieOf(response);
  secrets.push(cookie.split('=')[1] ?? '');
  const { id, name, email } = response.body;
  return callerWith(hub, { id, name, email, password: '' }, { cookie, origin: hub.origin });
}

async function manageUsers(owner: UserCaller, hubId: string): Promise<UserCaller> {
  const { id } = await owner.call('POST', '/users', ADA);
  await owner.call('PATCH', `/users/${id}`, { role: 'admin' });
  for (const verb of ['deactivation', 'reactivation']) await owner.call('POST', `/users/${id}/${verb}`);
  await owner.call('POST', `/hubs/${hubId}/members`, { userId: id });
  await owner.call('DELETE', `/hubs/${hubId}/members/${id}`);
  await owner.call('POST', `/users/${id}/sign-out`);
  const { id: invitationId } = await owner.call('POST', '/invitations', { email: 'bob@example.org' });
  await owner.call('DELETE', `/invitations/${invitationId}`);
  const { link } = await owner.call<IssuedLink>('POST', `/users/${id}/password-reset`);
  await redeemed(link, '/reset', { password: NEW_PASSWORD });
  const ada = await signIn(hub, { ...ADA, id, password: NEW_PASSWORD });
  const token = await ada.call<{ id: string; token: string }>('POST', '/me/tokens', { name: 'hubctl' });
  secrets.push(token.token);
  await ada.call('DELETE', `/me/tokens/${token.id}`);
  await ada.call('PUT', '/me/password', { currentPassword: NEW_PASSWORD, newPassword: ADA.password });
  const again = await signIn(hub, { ...ADA, id });
  for (const remove of ['own', 'reset']) {
    const { secret, factor, recoveryCodes } = await addApp(again, hub.clock.now());
    const { recoveryCodes: others } = await again.call<{ recoveryCodes: string[] }>('POST', '/me/recovery-codes');
    secrets.push(secret, ...(recoveryCodes ?? []), ...others);
    if (remove === 'own') await again.call('DELETE', `/me/factors/${factor.id}`);
    else await owner.call('DELETE', `/users/${id}/factors`);
  }
  await again.call('DELETE', '/session');
  return signIn(hub, { ...ADA, id });
}

async function manageKeys(owner: UserCaller, hubId: string): Promise<void> {
  const body = { hubId, name: 'ci', scopes: ['messages:create'] };
  const first = await owner.call<IssuedKey>('POST', '/keys', body);
  await post(hub, 'messages', first.key, { text: 'x' });
  const { id: removalId } = await owner.call('POST', `/keys/${first.id}/removals`, {});
  await owner.call('DELETE', `/keys/${first.id}/removals/${removalId}`);
  await owner.call('PATCH', `/keys/${first.id}`, { description: 'Builds' });
  const second = await owner.call<IssuedKey>('POST', `/keys/${first.id}/rotation`);
  const third = await owner.call<IssuedKey>('POST', `/keys/${second.id}/replacement`);
  secrets.push(first.key, second.key, third.key);
  await Promise.all(Array.from({ length: 61 }, () => post(hub, 'messages', third.key, {})));
  await owner.call('POST', `/keys/${third.id}/revocation`);
}

async function manageHubs(owner: UserCaller, ada: UserCaller): Promise<void> {
  const { id } = await owner.call('POST', '/hubs', { name: 'Releases' });
  await owner.call('PATCH', `/hubs/${id}`, { name: 'Canaries' });
  await owner.call('PATCH', `/hubs/${id}`, { retentionDays: 30 });
  await owner.call('POST', `/hubs/${id}/members`, { userId: ada.user.id });
  const { id: messageId } = await owner.call('POST', `/hubs/${id}/messages`, { text: 'x' });
  await ada.call('DELETE', `/messages/${messageId}`);
  await ada.call('POST', `/items/${messageId}/restoration`);
  const files = [(await uploadFile(owner, id, 'a', 'x')).id];
  const note = await owner.call('POST', `/hubs/${id}/notes`, { content: 'x', files });
  await owner.call('PATCH', `/notes/${note.id}`, { files: [] });
  expect((await owner.fetch(`/api/v1/hubs/${id}/export`)).status).toBe(200);
  await owner.call('DELETE', `/hubs/${id}`);
  await owner.call('POST', `/hubs/${id}/restoration`);
  await owner.call('PATCH', '/workspace', { botName: 'Robot' });
}

/** Signs in with the provider. */
async function signInWith(browser: RedirectBrowser): Promise<RedirectBrowser> {
  await browser.open(`${hub.url}/sign-in?then=/stream`, ({ pathname }) => pathname === '/stream');
  return browser;
}

beforeAll(async () => {
  const provider = startIdentityProvider();
  hub = await startTestHub({ provider: provider.settings });
  using _ = await provider.serve(hub.url);
  hub.setClientAddress(ADDRESS);
  const { link } = (await hub.admin.json<IssuedLink>('POST', '/setup-link')).body;
  const owner = await redeemed(link, '/setup', { ...OWNER, hubName: 'First', workspaceName: 'Example Ltd' });
  const [first] = (await owner.call<{ items: Hub[] }>('GET', '/hubs')).items;
  const ada = await manageUsers(owner, first?.id ?? '');
  await manageKeys(owner, first?.id ?? '');
  await manageHubs(owner, ada);
  provider.current = { sub: 'olga', email: OWNER.email, email_verified: true };
  const { cookies } = await signInWith(new RedirectBrowser());
  secrets.push(...(cookies.get(new URL(hub.url).host)?.values() ?? []));
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ password: OWNER.password });
  const taken = await owner.fetch('/api/v1/backups', { method: 'POST', headers, body });
  await using restored = await (isOnPostgres ? startRestored(hub) : startOnDatabase(hub, await taken.bytes()));
  for (const { admin } of [hub, restored]) {
    const pages = await Promise.all(AUDIT_ACTIONS.map((action) => admin.audit(`?action=${action}`)));
    entries.push(...pages.flatMap(({ items }) => items));
  }
});
afterAll(() => hub[Symbol.asyncDispose]());

/** The actor kinds of actions that are not performed by a user. */
const OTHER_ACTORS: Readonly<Record<string, string>> = {
  ...{ 'link.created': 'local', 'key.blocked': 'server', 'workspace.restored': 'server' },
};
/** Returns the expected address of an action that does not come from a client. */
const expectedAddress = (action: string): string | null =>
  action === 'link.created' ? 'local' : action === 'workspace.restored' ? null : ADDRESS;

/** On PostgreSQL, Hub takes no backups. */
const actions = AUDIT_ACTIONS.filter((action) => !isOnPostgres || action !== 'workspace.backed_up');

test('every action is in the audit log with actor, time and address', () => {
  for (const action of actions) {
    const found = entries.filter((entry) => entry.action === action);
    expect([action, found.length > 0]).toEqual([action, true]);
    for (const { actor, at, address } of found) {
      expect([action, at, address]).toEqual([action, '2026-03-01T09:30:00.000Z', expectedAddress(action)]);
      const expected = action in OTHER_ACTORS ? `${OTHER_ACTORS[action]}, no id` : 'user, id';
      expect([action, `${actor.kind}, ${actor.id === null ? 'no id' : 'id'}`]).toEqual([action, expected]);
    }
  }
});

test('no entry contains a password, its hash, a key, a token, a link or a cookie', () => {
  const log = JSON.stringify(entries);
  expect(secrets.length).toBeGreaterThan(10);
  for (const secret of secrets) expect(log).not.toContain(secret);
});
