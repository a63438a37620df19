import { expect, test } from 'bun:test';
import { Recorder } from '@hub/testkit/concurrency';
import { TestProxy } from '@hub/testkit/proxy';
import { seeded } from '@hub/testkit/random';
import { startBusyHub } from '../../test/busy-hub.ts';
import { RUNTIME_ENVIRONMENT, systemEnvironment } from './environment.ts';
import { applyEvent, connectLive, type Item, type Items, type LiveOptions } from './index.ts';

/** `LIVE_TRIAL_EVENTS=20000 bun test packages/client/src/live/random-disconnects.test.ts` runs a long form. */
const EVENTS = Number(process.env.LIVE_TRIAL_EVENTS ?? 600);
const CUTS = EVENTS / 10;

/** Does not wait between attempts, because the test disconnects more often than networks do. */
const environment = { ...systemEnvironment, random: () => 0 };
const connectWithoutDelay = (options: LiveOptions) =>
  connectLive({ ...options, [RUNTIME_ENVIRONMENT]: environment } as LiveOptions);

/** Sorts items by ID, because a map keeps its insertion order. */
const byId = (items: Iterable<Item>) => [...items].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Starts a client that applies all events and records their numbers. */
function startReader(baseUrl: string, token: string, hubId: string, pause: () => Promise<void> | undefined) {
  const seqs = new Recorder<number>();
  let items: Items = new Map();
  const live = connectWithoutDelay({ baseUrl, token });
  live.follow(hubId, {
    after: 0,
    queueLimit: 20,
    onEvent: async (event) => {
      await pause();
      items = applyEvent(items, event);
      seqs.add(event.seq);
    },
    onReset: () => {
      throw new Error('Nothing was lost, so nothing has to be reloaded.');
    },
  });
  return { live, seqs, items: () => items };
}

test(`${EVENTS} events across ${CUTS} disconnects and two restarts arrive once and in order, and items equal a fresh load`, async () => {
  const random = seeded(4711);
  await using busy = await startBusyHub(random);
  const proxies = [1, 2, 3, 4].map(() => new TestProxy(busy.port()));
  const token = await busy.token();
  const readers = proxies.map(({ url }, index) =>
    // One client is slow, so that its queue is full now and then.
    startReader(url, token, busy.hubId, () => (index === 0 && random() < 0.1 ? Bun.sleep(5) : undefined)),
  );

  let cuts = 0;
  for (let restarts = 0; (await busy.seq()) < EVENTS; ) {
    await busy.act();
    if (cuts < ((await busy.seq()) / EVENTS) * CUTS && proxies[Math.floor(random() * proxies.length)]?.drop())
      cuts += 1;
    if (restarts === 2 || (await busy.seq()) < ((restarts + 1) * EVENTS) / 3) continue;
    restarts += 1;
    await busy.restart();
    for (const proxy of proxies) proxy.target = busy.port();
  }

  const last = await busy.seq();
  const loaded = await busy.load();
  const inOrder = Array.from({ length: last }, (_, index) => index + 1);
  for (const { live, seqs, items } of readers) {
    await seqs.first((seq) => seq >= last);
    expect(seqs.values).toEqual(inOrder);
    expect(byId(items().values())).toEqual(byId(loaded.items));
    live.close();
  }
  // The last action may cause two events, in which case there is one more disconnect.
  expect(cuts).toBeGreaterThanOrEqual(CUTS);
  for (const proxy of proxies) proxy.close();
}, 180_000);
