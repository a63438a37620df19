import { expect, test } from 'bun:test';
import { operations } from '@hub/contract/operations';
import type { OperationDeclaration } from '@hub/contract/operations/operation';
import { outcomeOf } from '@hub/testkit/admin';
import { addApp, codeAt } from '@hub/testkit/in-process/factors';
import { perTest } from '@hub/testkit/in-process/shared';
import { restartHub, startAfterKill, startTestHub } from '@hub/testkit/in-process/test-hub';
import {
  callerWith,
  cookieOf,
  createUser,
  postJson,
  redeem,
  signedIn,
  tokenIn,
  tokenOf,
  trySignIn,
  type UserCaller,
} from '@hub/testkit/in-process/users';
import { SoftPasskey } from '../../../test/soft-passkey.ts';

const WRONG = '401 This code is wrong, or was used before. Enter the next one that your app shows.';
const STEP_MS = 30_000;
const WEEK_MS = 7 * 24 * 60 * 60_000;

const hub = perTest(startTestHub);
const ada = perTest(() => signedIn(hub, { name: 'Ada' }));

const now = () => hub.clock.now();
const signIn = async (code?: string) => {
  const response = await trySignIn(hub, { ...ada.user, ...(code !== undefined && { code }) });
  return { outcome: outcomeOf(response), factor: response.headers.get('hub-second-factor') };
};
const auditOf = async (action: string) => (await hub.admin.audit(`?action=${action}&limit=1`)).items[0];

test('an authenticator app is asked for after the password, and each of its codes works once, one step early or late', async () => {
  const { secret, factor, recoveryCodes } = await addApp(ada, now());
  expect(factor).toMatchObject({ kind: 'totp', name: 'Phone', lastUsedAt: null });
  expect(recoveryCodes).toHaveLength(10);
  expect(await signIn()).toEqual({
    outcome: '403 This account has a second factor. Send a code of its app, or a recovery code, as code.',
    factor: 'totp',
  });
  expect(outcomeOf(await trySignIn(hub, { ...ada.user, password: 'wrong' }))).toStartWith('401 Incorrect');
  // The code with which it was added.
  expect((await signIn(codeAt(secret, now()))).outcome).toBe(WRONG);
  expect((await signIn(codeAt(secret, now() + STEP_MS))).outcome).toBe('201');
  expect((await signIn(codeAt(secret, now() + STEP_MS))).outcome).toBe(WRONG);
  hub.clock.advance(4 * STEP_MS);
  expect((await signIn(codeAt(secret, now() - 2 * STEP_MS))).outcome).toBe(WRONG);
  expect((await signIn(codeAt(secret, now() + 2 * STEP_MS))).outcome).toBe(WRONG);
  const spaced = codeAt(secret, now() - STEP_MS).replace(/^.../, '$& ');
  expect((await signIn(spaced)).outcome).toBe('201');
  // An earlier step than one that was used.
  expect((await signIn(codeAt(secret, now() - 2 * STEP_MS))).outcome).toBe(WRONG);
  expect(await auditOf('session.started')).toMatchObject({ details: { factor: 'Phone' } });
  expect((await ada.request('GET /me/factors')).items[0]?.lastUsedAt).not.toBeNull();
});

test('an authenticator app lets one of many sign-ins with the same code in', async () => {
  const { secret } = await addApp(ada, now());
  const code = codeAt(secret, now() + STEP_MS);
  const outcomes = await Promise.all(Array.from({ length: 8 }, async () => (await signIn(code)).outcome));
  expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(1);
});

test('an authenticator app gives a thief of the password few guesses, from any address', async () => {
  await addApp(ada, now());
  for (let n = 0; n < 20; n += 1) expect((await signIn(`00000${n % 10}`)).outcome).toBe(WRONG);
  expect((await signIn('000000')).outcome).toStartWith('429 Too many failed');
  hub.clock.advance(60 * 60_000);
  expect((await signIn('000000')).outcome).toBe(WRONG);
});

test.each([
  ['a wrong code', { code: '000000' }, 'code is wrong'],
  ['a short secret', { secret: 'JBSWY3DPEHPK3PXP' }, 'secret'],
  ['no code', { code: undefined }, 'Send secret and code'],
  ['a passkey as well', { credential: '{}' }, 'Send secret and code'],
  ['no name', { name: ' ' }, 'name'],
])('an authenticator app is not added with %s', async (_, fields, message) => {
  const { secret } = await ada.request('POST /me/factors/totp-secret', {});
  const body = { name: 'Phone', secret, code: codeAt(secret, now()), ...fields };
  expect(await ada.outcome('POST', '/me/factors', body)).toContain(message);
  expect((await signIn()).outcome).toBe('201');
});

test('an authenticator app is removed and renamed by its user only, after a confirmation, and with the last one the codes end', async () => {
  const { factor, recoveryCodes } = await addApp(ada, now());
  const bob = await signedIn(hub);
  const path = `/me/factors/${factor.id}`;
  expect((await bob.json('PATCH', path, { name: 'Mine' })).status).toBe(404);
  expect((await bob.json('DELETE', path)).status).toBe(404);
  expect((await ada.json('PATCH', path, { name: ' Tablet ' })).body).toMatchObject({ name: 'Tablet' });
  hub.clock.advance(15 * 60_000 + 1);
  expect((await ada.json('DELETE', path)).status).toBe(403);
  expect((await ada.json('POST', '/me/recovery-codes')).status).toBe(403);
  expect((await ada.json('POST', '/me/factors', { name: 'x' })).status).toBe(403);
  await ada.json('POST', '/session/confirmation', { password: ada.user.password });
  await ada.call('DELETE', path);
  expect(await auditOf('factor.removed')).toMatchObject({ targetName: 'Tablet', actor: { id: ada.user.id } });
  expect((await signIn()).outcome).toBe('201');
  await addApp(ada, now());
  expect((await signIn(recoveryCodes?.[0])).outcome).toBe(WRONG);
});

test('a recovery code signs in once, in any form, until new ones replace it', async () => {
  const { recoveryCodes } = await addApp(ada, now());
  const [first = '', second = ''] = recoveryCodes ?? [];
  expect((await signIn(` ${first.toLowerCase().replace('-', ' ')}`)).outcome).toBe('201');
  expect((await signIn(first)).outcome).toBe(WRONG);
  expect((await ada.request('GET /me/factors')).recoveryCodesLeft).toBe(9);
  const fresh = await ada.request('POST /me/recovery-codes', {});
  expect((await signIn(second)).outcome).toBe(WRONG);
  expect((await signIn(fresh.recoveryCodes[9])).outcome).toBe('201');
  expect((await (await signedIn(hub)).json('POST', '/me/recovery-codes')).status).toBe(409);
});

test('with HUB_SECRETS_KEY, the database holds the secrets of the server encrypted, and another key can replace it', async () => {
  const { secret } = await addApp(ada, now());
  await ada.json('POST', '/me/factors/passkey-options');
  const push = { isLocalAllowed: true, post: () => Promise.reject(new Error('Nothing is pushed here')) };
  const former = await restartHub(hub, { push });
  const plain = async ({ store }: { store: typeof hub.store }) => ({
    push: (await store.notifications.findIdentity())?.privateKey,
    challenges: await store.factors.challengeSecret(),
    app: (await store.factors.list(ada.user.id))[0]?.key,
  });
  const before = await plain(former);
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const encrypting = await restartHub(former, { push, secretKeys: [first] });
  const encrypted = await plain(encrypting);
  for (const name of ['push', 'challenges', 'app'] as const) {
    const [stored, value] = [Buffer.from(encrypted[name] ?? []), before[name] ?? new Uint8Array()];
    expect(value.length).toBeGreaterThan(0);
    expect(stored.includes(value)).toBe(false);
    expect(stored).toHaveLength(value.length + 32);
  }
  hub.clock.advance(STEP_MS);
  const signInAt = async (server: typeof hub) =>
    outcomeOf(await trySignIn(server, { ...ada.user, code: codeAt(secret, now()) }));
  expect(await signInAt(encrypting)).toBe('201');
  const replacing = await restartHub(encrypting, { push, secretKeys: [second, first] });
  expect(await plain(replacing)).not.toEqual(encrypted);
  const replaced = await restartHub(replacing, { push, secretKeys: [second] });
  hub.clock.advance(STEP_MS);
  expect(await signInAt(replaced)).toBe('201');
  const other = await addApp(await signedIn(replaced), now());
  expect(JSON.stringify(await replaced.store.factors.listApps())).not.toContain(other.secret);
  for (const secretKeys of [[], [first]])
    await expect(startAfterKill(replaced, { push, secretKeys })).rejects.toThrow('HUB_SECRETS_KEY does not contain');
});

test('a reset link of an account with a second factor asks for it, and stays valid after a wrong code', async () => {
  const { recoveryCodes } = await addApp(ada, now());
  const reset = await hub.admin.request('POST /users/{userId}/password-reset', { userId: ada.user.id });
  const link = { token: tokenIn(hub, reset.link, '/reset'), password: 'ships are safe in harbour' };
  const without = await redeem(hub, link);
  expect([without.status, without.headers.get('hub-second-factor')]).toEqual([403, 'totp']);
  expect((await redeem(hub, { ...link, code: '000000' })).status).toBe(401);
  expect((await redeem(hub, { ...link, code: recoveryCodes?.[0] })).status).toBe(201);
});

const options = async (path: string, caller = callerWith(hub, ada.user, {})) =>
  (await caller.json<{ options: { challenge: string } }>('POST', path)).body.options;
const add = async (passkey: SoftPasskey, caller = ada) =>
  caller.json<{ recoveryCodes: string[] }>('POST', '/me/factors', {
    name: 'Laptop',
    credential: JSON.stringify(passkey.create(await options('/me/factors/passkey-options', caller))),
  });
const send = (credential: object) => postJson(hub, '/session/passkey', { credential: JSON.stringify(credential) });
const signInWith = async (passkey: SoftPasskey) => send(passkey.get(await options('/session/passkey-options')));

test('a passkey signs in without a password, and is then asked for after it', async () => {
  const passkey = new SoftPasskey(hub.url);
  expect((await add(passkey)).body.recoveryCodes).toHaveLength(10);
  const session = callerWith(hub, ada.user, { cookie: cookieOf(await signInWith(passkey)) });
  expect((await session.request('GET /me')).id).toBe(ada.user.id);
  expect(await auditOf('session.started')).toMatchObject({ details: { factor: 'Laptop' } });
  expect((await signIn()).factor).toBe('passkey');
  expect((await signIn('000000')).outcome).toBe(WRONG);
  await hub.admin.raw('POST', `/users/${ada.user.id}/deactivation`);
  expect((await signInWith(passkey)).status).toBe(401);
});

test('a passkey is rejected for another site, without verification of its user, for an old or foreign challenge, and twice', async () => {
  const passkey = new SoftPasskey(hub.url);
  await add(passkey);
  const sent = passkey.get(await options('/session/passkey-options'));
  expect((await send(sent)).status).toBe(201);
  expect((await send(sent)).status).toBe(401);
  const old = await options('/session/passkey-options');
  hub.clock.advance(5 * 60_000 + 1);
  expect((await send(passkey.get(old))).status).toBe(401);
  expect((await send(passkey.get({ challenge: Buffer.alloc(54).toString('base64url') }))).status).toBe(401);
  passkey.flags = 0x01;
  expect((await signInWith(passkey)).status).toBe(401);
  passkey.flags = 0x05;
  expect((await signInWith(new SoftPasskey(hub.url))).status).toBe(401);
  expect((await signInWith(Object.assign(new SoftPasskey(hub.url), { id: passkey.id }))).status).toBe(401);
  for (const credential of [{}, { id: 'x' }, { ...sent, response: {} }, { ...sent, response: null }])
    expect((await send(credential)).status).toBe(401);
  // One whose counter does not advance was copied.
  for (const [counter, status] of [
    [6, 201],
    [6, 401],
    [7, 201],
  ] as const) {
    passkey.counter = counter;
    expect((await signInWith(passkey)).status).toBe(status);
  }
});

test('a passkey of another site, or that another user has, is not added', async () => {
  expect((await add(new SoftPasskey('https://evil.example.org'))).status).toBe(401);
  const passkey = new SoftPasskey(hub.url);
  await add(passkey);
  expect((await add(passkey, await signedIn(hub))).status).toBe(409);
  const used = await options('/me/factors/passkey-options', ada);
  const fresh = () => new SoftPasskey(hub.url).create(used);
  const send = (credential: object) =>
    ada.json('POST', '/me/factors', { name: 'x', credential: JSON.stringify(credential) });
  expect([(await send(fresh())).status, (await send(fresh())).status]).toEqual([201, 401]);
});

const require = (secondFactor: string) => hub.admin.raw('PATCH', '/workspace', { secondFactor });
const dueAt = async (caller: UserCaller) => (await caller.request('GET /me')).secondFactor?.dueAt;

test('a workspace can require a second factor of admins or of all, after seven days in which it can be set up; then nothing else works in a session', async () => {
  const olga = await signedIn(hub, { role: 'owner' });
  const token = await tokenOf(hub, ada.user);
  await require('admins');
  expect([await dueAt(ada), await dueAt(olga)]).toEqual([undefined, new Date(now() + WEEK_MS).toISOString()]);
  for (const [role, due] of [
    ['admin', expect.any(String)],
    ['member', undefined],
  ] as const) {
    await hub.admin.raw('PATCH', `/users/${ada.user.id}`, { role });
    expect(await dueAt(ada)).toEqual(due);
  }
  await require('everyone');
  hub.clock.advance(1_000);
  expect(await dueAt(ada)).toBe(new Date(now() - 1_000 + WEEK_MS).toISOString());
  const newcomer = await signedIn(hub);
  expect(await dueAt(newcomer)).toBe(new Date(now() + WEEK_MS).toISOString());
  hub.clock.advance(WEEK_MS);
  const refused = await ada.json('GET', '/hubs');
  expect(outcomeOf(refused)).toBe('403 Your workspace requires a second factor. Set one up in the web app first.');
  expect(refused.headers.get('hub-second-factor')).toBe('overdue');
  for (const [operation, declared] of Object.entries<OperationDeclaration>(operations)) {
    const [method = '', path = ''] = operation.replaceAll(/\{\w+\}/g, 'none').split(' ');
    if (declared.access === 'anyone' || declared.needsNoFactor) continue;
    const { status, headers } = await ada.fetch(`/api/v1${path}`, { method });
    expect([operation, status, headers.get('hub-second-factor')]).toEqual([operation, 403, 'overdue']);
  }
  expect((await ada.fetch('/api/v1/live', { headers: { upgrade: 'websocket' } })).status).toBe(403);
  expect((await token.json('GET', '/hubs')).status).toBe(200);
  await ada.json('POST', '/session/confirmation', { password: ada.user.password });
  const { factor } = await addApp(ada, now());
  expect((await ada.json('GET', '/hubs')).status).toBe(200);
  // At once, or removing it every week would avoid it permanently.
  await ada.call('DELETE', `/me/factors/${factor.id}`);
  expect(await dueAt(ada)).toBe(new Date(now()).toISOString());
  await require('optional');
  expect([await dueAt(ada), await dueAt(newcomer)]).toEqual([undefined, undefined]);
  expect((await olga.json('GET', '/hubs')).status).toBe(200);
});

test('an admin removes the factors of a user who has lost them, but not of an owner, nor their own', async () => {
  await addApp(ada, now());
  const admin = await signedIn(hub, { role: 'admin' });
  const owner = await createUser(hub, { role: 'owner' });
  const reset = async ({ id }: { id: string }, by = admin) => (await by.json('DELETE', `/users/${id}/factors`)).status;
  expect([await reset(owner), await reset(admin.user)]).toEqual([403, 409]);
  expect(await reset(ada.user, await tokenOf(hub, admin.user))).toBe(200);
  expect((await signIn()).outcome).toBe('201');
  expect(await auditOf('factors.reset')).toMatchObject({ targetName: 'Ada', details: { count: 1 } });
});
