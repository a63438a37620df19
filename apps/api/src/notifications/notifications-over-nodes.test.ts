import { expect, setDefaultTimeout, test } from 'bun:test';
import { type LiveClient, liveClient } from '@hub/testkit/in-process/live-client';
import { localPush, startPushService } from '@hub/testkit/in-process/push-service';
import { perTest } from '@hub/testkit/in-process/shared';
import { teamOn } from '@hub/testkit/in-process/team';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import type { UserCaller } from '@hub/testkit/in-process/users';
import { spawnServer } from '@hub/testkit/server-process';

setDefaultTimeout(180_000);

/** Longer than a notification waits to be combined with others, and than it takes to notice that the leader is gone. */
const STEP_MS = 1_000;
const SMALL_STEP_MS = 50;

onlyOnPostgres.describe('with two nodes', () => {
  const service = perTest(async () => startPushService());
  const database = perTest(async () => ({ databaseUrl: await createDatabase() }));
  const leader = perTest(() => startTestHub({ ...database, push: localPush }));
  const other = perTest(() => startTestHub({ ...database, push: localPush, clock: leader.clock }));
  const team = perTest(() => teamOn(leader, ['Ada Lovelace', 'Bob Kahn']));

  /** Moves the clock until a query returns rows; slowly, since what is too old is not sent. */
  async function until(query: string): Promise<void> {
    do leader.clock.advance(SMALL_STEP_MS);
    while ((await other.query(query)).length === 0);
  }
  /** Resolves once all commits are processed on this node, and everything is on its way that is due. */
  async function settled(hub: TestHub): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) {
      await hub.deps.notifications.idle();
      hub.clock.advance(STEP_MS);
    }
    await hub.deps.notifications.idle();
  }
  const waiting = () => other.query<{ reason: string }>('SELECT reason FROM waiting_notifications ORDER BY seq');
  /** Moves the clock until so many pushes have arrived. */
  async function pushed(count: number): Promise<void> {
    while (service.received.length < count) await until('SELECT 1');
  }
  const received = () => service.received.map(({ notification: { kind, body } }) => `${kind}: ${body}`);
  /** Opens a page on the node that does not lead. */
  const openPage = ({ headers }: UserCaller): Promise<LiveClient> =>
    liveClient(other, { ...headers, origin: other.origin });

  test('a user who looks at a page on the other node gets no push, and is mentioned by @here', async () => {
    await service.subscribedAs(team.ada);
    using page = await openPage(team.ada);
    page.send({ type: 'attend', isAttending: true });
    await until("SELECT 1 FROM presence WHERE attending <> '{}'");
    await team.message(team.bob, 'You are here, @Ada');
    expect((await team.message(team.bob, '@here')).mentions).toEqual([team.ada.user.id]);
    await settled(leader);
    expect([service.received.length, await waiting()]).toEqual([0, []]);

    page.send({ type: 'attend', isAttending: false });
    await until("SELECT 1 FROM presence WHERE attending = '{}' AND pages <> '{}'");
    await team.message(team.bob, 'You are away, @Ada');
    await pushed(1);
    const { notification } = await page.until('notification');
    expect([received(), notification.body]).toEqual([['mention: You are away, @Ada'], 'You are away, @Ada']);
  });

  test('the next leader sends what the last one has not sent, and nothing else', async () => {
    await service.subscribedAs(team.ada);
    await team.message(team.bob, 'First, @Ada');
    await pushed(1);
    await until('SELECT 1 WHERE NOT EXISTS (SELECT FROM waiting_notifications)');
    await team.ada.json('PUT', `/me/notifications/hubs/${team.hubId}`, { mode: 'every' });
    await team.message(team.bob, 'Second, @Ada');
    for (const text of ['Post 1', 'Post 2']) await team.post('messages', { text });
    await leader.deps.notifications.idle();
    expect(await waiting()).toEqual([{ reason: 'mention' }, { reason: 'post' }]);
    await leader.stop();

    await pushed(3);
    await settled(other);
    expect(received()).toEqual(['mention: First, @Ada', 'mention: Second, @Ada', 'several: Post 2']);
    expect(service.received.at(-1)?.notification.title).toBe('2 posts in Releases');
    expect(await waiting()).toEqual([]);
  });
});

onlyOnPostgres.test(
  'if the leader is killed between a post and its push, the other node sends the push once',
  async () => {
    await using service = startPushService();
    const env = { HUB_DATABASE_URL: await createDatabase(), HUB_PUSH: 'local' };
    await using one = spawnServer({ env });
    const origin = (await one.serving()).url;
    await using two = spawnServer({ env });
    const { url } = await two.serving();
    const hub = { admin: two.admin, url, fetch: (path: string, init?: RequestInit) => fetch(url + path, init) };
    expect([origin !== url, (await one.admin.status()).node?.isLeader]).toEqual([true, true]);
    const team = await teamOn(hub as TestHub, ['Ada Lovelace', 'Bob Kahn']);
    await service.subscribedAs(team.ada);
    await team.message(team.bob, 'Look, @Ada');
    // The leader waits for a second, in case that others follow.
    one.kill('SIGKILL');
    await one.ended();
    await service.until(() => service.received.length >= 1);
    await team.message(team.bob, 'And again, @Ada');
    await service.until(() => service.received.length >= 2);
    expect(service.received.map(({ notification }) => notification.body)).toEqual(['Look, @Ada', 'And again, @Ada']);
  },
);
