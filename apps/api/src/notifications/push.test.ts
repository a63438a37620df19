import { beforeEach, describe, expect, test } from 'bun:test';
import { createPublicKey, verify } from 'node:crypto';
import type { HubNotification, Message, NotificationSettings, Todo } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { localPush, startPushService } from '@hub/testkit/in-process/push-service';
import { perTest, shared } from '@hub/testkit/in-process/shared';
import { type Team, teamOn } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { signIn, type UserCaller } from '@hub/testkit/in-process/users';

/** Returns the claims of a VAPID header (RFC 8292) if its signature is valid. */
function vapidClaims(authorization: string): { aud: string; exp: number; sub: string; key: string } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isGood = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isGood) throw new Error('The signature is invalid');
  return { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), key };
}

/** A notification waits for a second, so that it can be combined with others. */
const GATHER_MS = 1_000;

const service = shared(async () => startPushService());
const hub = perTest(() => startTestHub({ push: localPush }));
let team: Team;
beforeEach(async () => {
  service.received.length = 0;
  team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
});

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

describe('pushes', () => {
  test('a mention to the browser of the mentioned user, and only that browser can decrypt it', async () => {
    await service.subscribedAs(team.ada);
    await service.subscribedAs(team.bob);
    const message = await team.message(team.bob, 'Could you look at this, @Ada? It **fails** again.');
    expect(await notifications(1)).toEqual([
      {
        kind: 'mention',
        title: 'Bob Kahn mentioned you in Releases',
        body: 'Could you look at this, @Ada? It fails again.',
        to: `/p/${message.id}`,
        tag: message.id,
      },
    ]);
    const { headers } = service.received[0] ?? { headers: new Headers() };
    const sent = { 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' };
    expect(Object.fromEntries(headers)).toMatchObject(sent);
    const { aud, exp, sub, key } = vapidClaims(headers.get('authorization') ?? '');
    const { push } = (await team.ada.json<NotificationSettings>('GET', '/me/notifications')).body;
    expect([aud, sub, key]).toEqual([service.url, 'mailto:nobody@hub.invalid', push?.publicKey ?? '']);
    expect(exp - hub.clock.now() / 1000).toBeLessThan(24 * 60 * 60);
  });

  test('a question to those whom it names, with its first two choices if they may answer', async () => {
    for (const caller of [team.ada, team.bob]) await service.subscribedAs(caller);
    const ask = (text: string, answerBy: string[]) =>
      team.bob.call<Message>('POST', `/hubs/${team.hubId}/messages`, {
        text,
        question: { choices: ['yes', 'no', 'later'], answerBy, expiresInSeconds: 60 },
      });
    const named = await ask('Deploy?', [team.ada.user.id]);
    const title = 'Bob Kahn asks you in Releases';
    const shown = { kind: 'mention' as const, title, body: 'Deploy?', to: `/p/${named.id}`, tag: named.id };
    expect(await notifications(1)).toEqual([{ ...shown, choices: ['yes', 'no'] }]);
    await ask('And @Ada should know?', ['admin']);
    expect((await notifications(2))[1]).not.toHaveProperty('choices');
  });

  test('a to-do that another user assigns, but not one that users assign to themselves', async () => {
    await service.subscribedAs(team.ada);
    const todo = await team.todo(team.bob, { title: 'Renew the certificate' });
    await team.ada.json<Todo>('PATCH', `/todos/${todo.id}`, { assigneeId: team.ada.user.id });
    await settled();
    await team.ada.json<Todo>('PATCH', `/todos/${todo.id}`, { assigneeId: null });
    await team.bob.json<Todo>('PATCH', `/todos/${todo.id}`, { assigneeId: team.ada.user.id });
    await team.bob.json<Todo>('PATCH', `/todos/${todo.id}`, { priority: 'HIGH' });
    expect(await notifications(1)).toMatchObject([
      { kind: 'assignment', title: 'Bob Kahn assigned you a to-do in Releases', body: 'Renew the certificate' },
    ]);
    expect(service.received).toHaveLength(1);
  });

  test('replies in threads that the user started or replied in', async () => {
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

  test('every post in a chosen Hub or from a chosen key, combining many into one notification', async () => {
    await service.subscribedAs(team.ada);
    await team.post('messages', { text: 'Nobody has asked for this' });
    await settled();
    expect(service.received).toHaveLength(0);
    await change(team.ada, `/hubs/${team.hubId}`, { mode: 'every' });
    await team.post('messages', { text: 'Deploy 1 is out' });
    expect(await notifications(1)).toMatchObject([
      { kind: 'post', title: 'ci in Releases', body: 'Deploy 1 is out', tag: team.hubId },
    ]);
    expect(service.received[0]?.headers.get('urgency')).toBe('normal');
    for (let n = 2; n <= 12; n += 1) await team.post('messages', { text: `Deploy ${n} is out` });
    await settled();
    expect(service.received).toHaveLength(1);
    hub.clock.advance(30_000);
    expect((await notifications(2))[1]).toEqual({
      kind: 'several',
      title: '12 posts in Releases',
      body: 'Deploy 12 is out',
      to: `/hubs/${team.hubId}`,
      tag: team.hubId,
    });
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
});

describe('does not push', () => {
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

  test('events that the user turned off, and anything from a muted Hub or key; the Hub shows that it is muted', async () => {
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

  test('anything during quiet hours, and resumes afterwards', async () => {
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

  test('before accepting a post: posts are accepted even if a push service never responds', async () => {
    const hung = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) });
    const browser = service.browser();
    const subscription = { ...browser.subscription, endpoint: `http://127.0.0.1:${hung.port}/x` };
    expect((await team.ada.json('POST', '/me/push-subscriptions', subscription)).status).toBe(201);
    await team.message(team.bob, 'Look, @Ada');
    await settled();
    const message = await team.message(team.bob, 'And here, @Ada');
    expect((await team.show(message)).id).toBe(message.id);
    await hung.stop(true);
  });

  test('anything from a Hub that was deleted or that the user was removed from, even if it was already waiting', async () => {
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

  test('anything to disabled users or ended sessions, whose subscriptions are removed', async () => {
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

  test('anything more to a browser whose push service returns 410 or 404, which ends the subscription', async () => {
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
});

describe('a push subscription', () => {
  test('belongs to a session, replaces the previous one of that session, and passes to the next user of the browser', async () => {
    await service.subscribedAs(team.ada);
    const second = await service.subscribedAs(team.ada);
    expect(await subscriptions()).toBe(1);
    // Bob signs in with the same browser.
    expect(await second.subscribe(team.bob)).toBe(201);
    expect([await subscriptions(), await isSubscribed()]).toEqual([1, false]);
    expect((await team.bob.json('DELETE', '/me/push-subscriptions')).status).toBe(200);
    expect((await team.bob.json('DELETE', '/me/push-subscriptions')).status).toBe(404);
  });

  test('returns 400 with the reason for invalid values', async () => {
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

  test('is not logged, and neither are its keys', async () => {
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
});
