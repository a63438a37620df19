import { beforeEach, expect, test } from 'bun:test';
import { createPublicKey, verify } from 'node:crypto';
import type { HubNotification, NotificationSettings } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { localPush, startPushService } from '@hub/testkit/in-process/push-service';
import { perTest, shared } from '@hub/testkit/in-process/shared';
import { teamOn } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { signIn, type UserCaller } from '@hub/testkit/in-process/users';
import type { CommitReport } from '../storage/commit-report.ts';
import { isQuiet, NotificationFollower } from './notification-follower.ts';

/** Returns the claims of a VAPID header (RFC 8292) if its signature is valid. */
function vapidClaims(authorization: string): { aud: string; exp: number; sub: string; key: string } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65) };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = [Buffer.from(`${head}.${claims}`), Buffer.from(signature, 'base64url')] as const;
  if (!verify('sha256', signed[0], { key: publicKey, dsaEncoding: 'ieee-p1363' }, signed[1]))
    throw new Error('The signature is invalid');
  return { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), key };
}

/** A notification waits for a second, so that it can be combined with others. */
const GATHER_MS = 1_000;

const service = shared(async () => startPushService());
const hub = perTest(() => startTestHub({ push: localPush }));
const team = perTest(() => teamOn(hub, ['Ada Lovelace', 'Bob Kahn']));
beforeEach(() => void service.received.splice(0));

/** Runs the outbox until `count` notifications have arrived in total. */
async function notifications(count: number): Promise<HubNotification[]> {
  await settled();
  await service.until(() => service.received.length >= count);
  return service.received.map(({ notification }) => notification);
}

/** Resolves once all commits are processed, nothing waits in the outbox, and everything due is sent. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    await hub.deps.notifications.idle();
    hub.clock.advance(GATHER_MS);
  }
  await hub.deps.notifications.idle();
}

/** Resolves once the last response of the push service has been processed. */
async function untilIdle(): Promise<void> {
  while (hub.deps.notifications.counts.waiting > 0) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the number of subscribed browsers. The metric of a node can be some seconds old. */
async function subscriptions(): Promise<number> {
  const [row] = await hub.query<{ n: number }>('SELECT count(*) AS n FROM push_subscriptions');
  return Number(row?.n);
}

const isSubscribed = async () =>
  (await team.ada.json<NotificationSettings>('GET', '/me/notifications')).body.push?.isSubscribed;
const change = (caller: UserCaller, path: string, body: object, method = 'PUT') =>
  caller.json<NotificationSettings>(method, `/me/notifications${path}`, body);

test('pushes a mention to the browser of the mentioned user, and only that browser can decrypt it', async () => {
  await service.subscribedAs(team.ada);
  await service.subscribedAs(team.bob);
  const { id } = await team.message(team.bob, 'Could you look at this, @Ada? It **fails** again.');
  const body = 'Could you look at this, @Ada? It fails again.';
  expect(await notifications(1)).toEqual([
    { kind: 'mention', title: 'Bob Kahn mentioned you in Releases', body, to: `/p/${id}`, tag: id },
  ]);
  const { headers } = service.received[0] ?? { headers: new Headers() };
  const sent = { 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' };
  expect(Object.fromEntries(headers)).toMatchObject(sent);
  const { aud, exp, sub, key } = vapidClaims(headers.get('authorization') ?? '');
  const { push } = (await team.ada.json<NotificationSettings>('GET', '/me/notifications')).body;
  expect([aud, sub, key]).toEqual([service.url, 'mailto:nobody@hub.invalid', push?.publicKey ?? '']);
  expect(exp - hub.clock.now() / 1000).toBeLessThan(24 * 60 * 60);
});

test('pushes a question to those whom it names, with its first two choices if they may answer', async () => {
  for (const caller of [team.ada, team.bob]) await service.subscribedAs(caller);
  const ask = (text: string, answerBy: string[]) => {
    const question = { choices: ['yes', 'no', 'later'], answerBy, expiresInSeconds: 60 };
    return team.bob.call('POST', `/hubs/${team.hubId}/messages`, { text, question });
  };
  const named = await ask('Deploy?', [team.ada.user.id]);
  const title = 'Bob Kahn asks you in Releases';
  const shown = { kind: 'mention' as const, title, body: 'Deploy?', to: `/p/${named.id}`, tag: named.id };
  expect(await notifications(1)).toEqual([{ ...shown, choices: ['yes', 'no'] }]);
  await ask('And @Ada should know?', ['admin']);
  expect((await notifications(2))[1]).not.toHaveProperty('choices');
});

test('pushes a to-do that another user assigns, but not one that users assign to themselves', async () => {
  await service.subscribedAs(team.ada);
  const todo = await team.todo(team.bob, { title: 'Renew the certificate' });
  const patch = (caller: UserCaller, changes: object) => caller.call('PATCH', `/todos/${todo.id}`, changes);
  await patch(team.ada, { assigneeId: team.ada.user.id });
  await settled();
  await patch(team.ada, { assigneeId: null });
  await patch(team.bob, { assigneeId: team.ada.user.id });
  await patch(team.bob, { priority: 'HIGH' });
  const title = 'Bob Kahn assigned you a to-do in Releases';
  expect(await notifications(1)).toMatchObject([{ kind: 'assignment', title, body: 'Renew the certificate' }]);
});

test('pushes replies in threads that the user started or replied in', async () => {
  await service.subscribedAs(team.ada);
  const begun = await team.todo(team.ada, { title: 'When is it?' });
  const joined = await team.message(team.bob, 'Another thing');
  await team.reply(team.ada, joined, 'I saw it, too.');
  const foreign = await team.message(team.bob, 'And a third');
  await settled();
  await team.reply(team.bob, begun, 'At three.');
  await team.reply(team.bob, joined, 'Thanks.');
  await team.reply(team.bob, foreign, 'Nobody else is here.');
  const received = await notifications(2);
  expect(received.map(({ kind, body }) => `${kind}: ${body}`).sort()).toEqual(['reply: At three.', 'reply: Thanks.']);
});

test('pushes every post in a chosen Hub or from a chosen key, combining many into one notification', async () => {
  await service.subscribedAs(team.ada);
  await team.post('messages', { text: 'Nobody has asked for this' });
  expect(await notifications(0)).toEqual([]);
  await change(team.ada, `/hubs/${team.hubId}`, { mode: 'every' });
  await team.post('messages', { text: 'Deploy 1 is out' });
  const single = { kind: 'post', title: 'ci in Releases', body: 'Deploy 1 is out', tag: team.hubId };
  expect(await notifications(1)).toMatchObject([single]);
  expect(service.received[0]?.headers.get('urgency')).toBe('normal');
  for (let n = 2; n <= 12; n += 1) await team.post('messages', { text: `Deploy ${n} is out` });
  expect(await notifications(1)).toHaveLength(1);
  hub.clock.advance(30_000);
  const together = { kind: 'several' as const, title: '12 posts in Releases', body: 'Deploy 12 is out' };
  expect((await notifications(2))[1]).toEqual({ ...together, to: `/hubs/${team.hubId}`, tag: team.hubId });
  await change(team.ada, `/hubs/${team.hubId}`, { mode: 'usual' });
  await change(team.ada, `/keys/${team.keyId}`, { mode: 'every' });
  hub.clock.advance(120_000);
  await settled();
  await team.post('messages', { text: 'By the key' });
  await team.message(team.bob, 'By a person');
  // It replaces the former one, and so covers its posts too, until Ada has looked.
  expect((await notifications(3)).at(-1)).toMatchObject({ title: '13 posts in Releases', body: 'By the key' });
  expect(service.received).toHaveLength(3);
  const { live } = hub.deps;
  const page = await liveClient(hub, { ...team.ada.headers, origin: hub.origin });
  page.send({ type: 'attend', isAttending: true });
  while (!live.isAttended(team.ada.user.id)) await new Promise(setImmediate);
  page[Symbol.dispose]();
  while (live.isAttended(team.ada.user.id)) await new Promise(setImmediate);
  await team.post('messages', { text: 'After she has looked' });
  expect((await notifications(4)).at(-1)).toMatchObject({ kind: 'post', body: 'After she has looked' });
});

/** Creates a mention of Ada and another event that concerns her. */
async function notifyAda(): Promise<void> {
  await team.message(team.bob, 'Look, @Ada');
  await team.todo(team.bob, { title: 'Do it', assigneeId: team.ada.user.id });
}
async function expectNothing(): Promise<void> {
  const before = service.requests;
  await settled();
  expect(service.requests).toBe(before);
}

test('does not push events that the user turned off, and anything from a muted Hub or key; the Hub shows that it is muted', async () => {
  await service.subscribedAs(team.ada);
  await change(team.ada, '', { mentions: false, assignments: false }, 'PATCH');
  await notifyAda();
  await expectNothing();
  await change(team.ada, '', { mentions: true, assignments: true }, 'PATCH');
  await change(team.ada, `/hubs/${team.hubId}`, { mode: 'muted' });
  expect((await team.ada.json('GET', `/hubs/${team.hubId}`)).body).toMatchObject({ isMuted: true });
  expect((await team.bob.json('GET', `/hubs/${team.hubId}`)).body).toMatchObject({ isMuted: false });
  await notifyAda();
  await expectNothing();
  await change(team.ada, `/hubs/${team.hubId}`, { mode: 'every' });
  await change(team.ada, `/keys/${team.keyId}`, { mode: 'muted' });
  await team.post('messages', { text: 'Look, @Ada' });
  await expectNothing();
});

test('does not push anything during quiet hours, and resumes afterwards', async () => {
  await service.subscribedAs(team.ada);
  // The test clock shows 9:30 on a Sunday in UTC, which is 10:30 in Berlin.
  const hours = { fromMinute: 22 * 60, toMinute: 10 * 60 + 45, days: [6], timeZone: 'Europe/Berlin' };
  expect((await change(team.ada, '/quiet-hours', hours)).body.quietHours).toEqual(hours);
  await notifyAda();
  await expectNothing();
  hub.clock.advance(15 * 60_000);
  await notifyAda();
  await notifications(2);
});

test('does not push before accepting a post: posts are accepted even if a push service never responds', async () => {
  const hung = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) });
  const browser = service.browser();
  const subscription = { ...browser.subscription, endpoint: `http://127.0.0.1:${hung.port}/x` };
  expect((await team.ada.json('POST', '/me/push-subscriptions', subscription)).status).toBe(201);
  await team.message(team.bob, 'Look, @Ada');
  await settled();
  await team.message(team.bob, 'And here, @Ada');
  await hung.stop(true);
});

test('does not push anything from a Hub that was deleted or that the user was removed from, even if it was already waiting', async () => {
  await service.subscribedAs(team.ada);
  await notifyAda();
  await hub.admin.raw('DELETE', `/hubs/${team.hubId}/members/${team.ada.user.id}`);
  await expectNothing();
  await service.subscribedAs(team.bob);
  await change(team.bob, `/hubs/${team.hubId}`, { mode: 'every' });
  await team.post('messages', { text: 'The last' });
  await hub.admin.deleteHub(team.hubId);
  await expectNothing();
});

test('does not push anything to disabled users or ended sessions, whose subscriptions are removed', async () => {
  await service.subscribedAs(team.ada);
  const phone = await signIn(hub, team.ada.user);
  const onPhone = await service.subscribedAs(phone);
  await team.ada.json('DELETE', '/session');
  await team.message(team.bob, 'Look, @Ada');
  await notifications(1);
  expect(service.received.map(({ path }) => path)).toEqual([new URL(onPhone.endpoint).pathname]);
  expect(await subscriptions()).toBe(1);
  await team.message(team.bob, 'Once more, @Ada');
  await hub.admin.raw('POST', `/users/${team.ada.user.id}/deactivation`);
  await team.message(team.bob, 'And @Ada again');
  await settled();
  expect(service.received).toHaveLength(1);
  expect(await subscriptions()).toBe(0);
});

test('does not push anything more to a browser whose push service returns 410 or 404, which ends the subscription', async () => {
  for (const status of [410, 404]) {
    const { endpoint } = await service.subscribedAs(team.ada);
    service.response(endpoint, status);
    const before = service.requests;
    await team.message(team.bob, 'Look, @Ada');
    await settled();
    await service.until(() => service.requests > before);
    await untilIdle();
    expect(await isSubscribed()).toBe(false);
  }
  expect(hub.deps.notifications.counts).toMatchObject({ gone: 2, sent: 0, failed: 0 });
  expect(await subscriptions()).toBe(0);
});

test('a push subscription belongs to a session, replaces the previous one of that session, and passes to the next user of the browser', async () => {
  await service.subscribedAs(team.ada);
  const second = await service.subscribedAs(team.ada);
  expect(await subscriptions()).toBe(1);
  // Bob signs in with the same browser.
  expect(await second.subscribe(team.bob)).toBe(201);
  expect([await subscriptions(), await isSubscribed()]).toEqual([1, false]);
  expect((await team.bob.json('DELETE', '/me/push-subscriptions')).status).toBe(200);
  expect((await team.bob.json('DELETE', '/me/push-subscriptions')).status).toBe(404);
});

test('a push subscription returns 400 with the reason for invalid values', async () => {
  const good = service.browser().subscription;
  for (const [wrong, text] of [
    [{ endpoint: 'ftp://push.example.net/' }, 'endpoint must be'],
    [{ p256dh: 'AAAA' }, 'p256dh must be'],
    [{ auth: 'AAAA' }, 'auth must be'],
    [{ auth: 'ä ö' }, 'auth must be'],
  ] as const) {
    const { status, body } = await team.ada.json('POST', '/me/push-subscriptions', { ...good, ...wrong });
    expect([status, body.message]).toEqual([400, expect.stringContaining(text)]);
  }
});

test('a push subscription is not logged, and neither are its keys', async () => {
  const browser = await service.subscribedAs(team.ada);
  await team.ada.json('POST', '/me/notifications/test');
  await service.until(() => service.received.length > 0);
  const logged = JSON.stringify(hub.logged);
  const { privateKey } = (await hub.store.notifications.findIdentity()) ?? { privateKey: new Uint8Array() };
  expect(privateKey).toHaveLength(32);
  for (const secret of [browser.endpoint, browser.subscription.auth, Buffer.from(privateKey).toString('base64url')]) {
    expect(logged).not.toContain(secret);
  }
});

test('notification settings return 400 for quiet hours with an unknown time zone or of zero length', async () => {
  const hours = { fromMinute: 60, toMinute: 120, days: [1], timeZone: 'UTC' };
  for (const wrong of [{ timeZone: 'Mars/Olympus' }, { toMinute: 60 }, { days: [8] }, { fromMinute: 1_440 }]) {
    expect((await change(team.ada, '/quiet-hours', { ...hours, ...wrong })).status).toBe(400);
  }
  expect((await change(team.ada, '/quiet-hours', hours)).status).toBe(200);
  expect(await team.ada.call('DELETE', '/me/notifications/quiet-hours')).toMatchObject({ quietHours: null });
});

test('notification settings for a key carry over to its successor', async () => {
  await change(team.ada, `/keys/${team.keyId}`, { mode: 'muted' });
  await change(team.bob, `/keys/${team.keyId}`, { mode: 'every' });
  const { id: rotatedId } = await team.bob.call('POST', `/keys/${team.keyId}/rotation`);
  await change(team.bob, `/keys/${rotatedId}`, { mode: 'usual' });
  const { id: replacedId } = await team.bob.call('POST', `/keys/${rotatedId}/replacement`);
  const modes = async (caller: UserCaller) => {
    const { keys } = await caller.call<NotificationSettings>('GET', '/me/notifications');
    return Object.fromEntries(keys.map(({ keyId, mode, isOver }) => [keyId, isOver ? `${mode}, over` : mode]));
  };
  const ofAda = { [team.keyId]: 'muted', [rotatedId]: 'muted, over', [replacedId]: 'muted' };
  expect(await modes(team.ada)).toEqual(ofAda);
  expect(await modes(team.bob)).toEqual({ [team.keyId]: 'every' });
});

test.each([
  // In March Berlin is one hour ahead of UTC, in July two hours.
  ['can span midnight', [1, 2, 3, 4, 5, 6, 7], '03-02T21:00 03-03T05:59 07-02T20:00', '03-02T20:59 03-03T06:00'],
  ['of Fridays begin on that day', [5], '03-06T22:00 03-07T05:00', '03-06T05:00 03-07T22:00'],
  ['of Sundays last until Monday', [7], '03-09T05:00', '03-08T05:00'],
])('quiet hours %s, in their time zone', (_, days, quiet, others) => {
  const hours = { fromMinute: 22 * 60, toMinute: 7 * 60, days, timeZone: 'Europe/Berlin' };
  const isQuietAt = (time: string) => isQuiet(hours, Date.parse(`2026-${time}Z`));
  expect(quiet.split(' ').filter((time) => !isQuietAt(time))).toEqual([]);
  expect(others.split(' ').filter(isQuietAt)).toEqual([]);
});

test('an error when checking who can be reached loses no notification and does not stop the follower', async () => {
  const { store, clock } = hub;
  const notified: string[] = [];
  let isDiskBroken = true;
  const follower = new NotificationFollower({
    store,
    clock,
    heads: await store.events.heads(),
    log: hub.deps.log,
    live: { sockets: new Set() },
    canReachElsewhere: () => {
      if (isDiskBroken) throw new Error('disk I/O error');
      return Promise.resolve(true);
    },
    shouldNotify: async () => true,
    onTriggers: (_hubId, _seq, triggers) => {
      for (const [userId, { itemId }] of triggers) notified.push(`${userId} ${itemId}`);
    },
  });
  const mention = async () => {
    const { id } = await team.message(team.bob, 'Look, @Ada!');
    const heads = new Map([[team.hubId, await team.seq()]]);
    follower.committed({ heads, posts: [] } as unknown as CommitReport);
    const expected = `${team.ada.user.id} ${id}`;
    await follower.idle();
    return notified.filter((each) => each === expected).length;
  };
  expect(await mention()).toBe(1);
  isDiskBroken = false;
  expect(await mention()).toBe(1);
  await follower.stop();
});
