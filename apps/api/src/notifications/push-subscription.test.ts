import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { NotificationSettings } from '@hub/contract';
import { localPush, type PushService, startPushService } from '@hub/testkit/in-process/push-service';
import { type Team, teamOn } from '@hub/testkit/in-process/team';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, signIn } from '@hub/testkit/in-process/users';

let service: PushService;
let hub: TestHub;
let team: Team;
beforeAll(() => {
  service = startPushService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  service.received.length = 0;
  hub = await startTestHub({ push: localPush });
  team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
});
afterEach(() => hub[Symbol.asyncDispose]());

/** Returns the number of subscribed browsers. The metric of a node can be some seconds old. */
async function subscriptions(): Promise<number> {
  const [row] = await hub.query<{ n: number }>('SELECT count(*) AS n FROM push_subscriptions');
  return Number(row?.n);
}

describe('a push subscription', () => {
  test('belongs to a session, replaces the previous one of that session, and passes to the next user of the browser', async () => {
    await service.subscribedAs(team.ada);
    const second = await service.subscribedAs(team.ada);
    expect(await subscriptions()).toBe(1);
    // Bob signs in with the same browser.
    expect(await second.subscribe(team.bob)).toBe(201);
    expect(await subscriptions()).toBe(1);
    expect((await team.ada.json<NotificationSettings>('GET', '/me/notifications')).body.push?.isSubscribed).toBe(false);
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

  test('survives a restart with the same key, and is not possible with push turned off', async () => {
    await service.subscribedAs(team.ada);
    const before = hub.deps.notifications.publicKey;
    const { dataDir, clock } = hub;
    await hub.stop();
    hub = await startTestHub({ dataDir, clock, push: localPush });
    expect(hub.deps.notifications.publicKey).toBe(before);
    expect(hub.deps.notifications.counts.subscriptions).toBe(1);
    await using other = await startTestHub();
    expect(other.deps.notifications.publicKey).toBeNull();
    const caller = await signIn(other, await createUser(other));
    expect((await caller.json<NotificationSettings>('GET', '/me/notifications')).body.push).toBeNull();
    const { status, body } = await caller.json('POST', '/me/push-subscriptions', service.browser().subscription);
    expect([status, body.message]).toEqual([409, expect.stringContaining('turned off on this server (HUB_PUSH)')]);
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
