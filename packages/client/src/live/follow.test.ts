import { describe, expect, test } from 'bun:test';
import { eventLoopTurn, Recorder } from '@hub/testkit/concurrency';
import { EPOCH, event, events, followedTrial, HUB, reset, startLiveTrial, subscribed } from '../../test/live-trial.ts';
import { Delivery } from './delivery.ts';
import { systemEnvironment } from './environment.ts';

describe('following a Hub', () => {
  test('delivers the missing events and then new ones, each once and in order', async () => {
    await using trial = await followedTrial({ after: 3, epoch: EPOCH });
    expect(await trial.peer.frames.nth(1)).toEqual({ type: 'subscribe', hubId: HUB, after: 3, epoch: EPOCH });
    trial.peer.send(subscribed(5), ...events(4, 6), event(4), event(6), event(7));
    await trial.seen.nth(5);
    expect(trial.seen.values).toEqual([4, 5, 'caught up 5', 6, 7]);
    expect(trial.handle.position).toEqual({ seq: 7, epoch: EPOCH });
  });

  test('starts from now if no number is given, and takes its position from the response', async () => {
    await using trial = startLiveTrial();
    const { handle, seen } = trial.follow();
    expect(handle.position).toBeUndefined();
    const peer = await trial.open();
    expect(await peer.frames.nth(1)).toEqual({ type: 'subscribe', hubId: HUB });
    peer.send(subscribed(41), event(42));
    await seen.nth(2);
    expect(seen.values).toEqual(['caught up 41', 42]);
    expect(handle.position).toEqual({ seq: 42, epoch: EPOCH });
  });

  test('subscribes again from the last consecutive event after a gap', async () => {
    await using trial = await followedTrial();
    trial.peer.send(subscribed(0), event(1), event(3), event(4));
    expect(await trial.peer.frames.nth(2)).toEqual({ type: 'subscribe', hubId: HUB, after: 1, epoch: EPOCH });
    // Events of the previous subscription are ignored until the server responds.
    trial.peer.send(event(5), subscribed(5), ...events(2, 6));
    await trial.seen.first((value) => value === 6);
    expect(trial.seen.values).toEqual(['caught up 0', 1, 2, 3, 4, 5, 6]);
  });

  test('starts over with a reset if the gap persists', async () => {
    await using trial = await followedTrial();
    trial.peer.send(subscribed(5), event(1), event(3));
    await trial.peer.frames.nth(2);
    trial.peer.send(subscribed(5), event(3));
    expect(await trial.peer.frames.nth(3)).toEqual({ type: 'subscribe', hubId: HUB });
    trial.peer.send(subscribed(5), event(6));
    await trial.seen.first((value) => value === 6);
    expect(trial.seen.values).toEqual([1, `reset 5 ${EPOCH}`, 'caught up 5', 6]);
  });
});

test('an onEvent that fails does not stop delivery, and the event is not delivered again', async () => {
  await using trial = startLiveTrial();
  const seen = new Recorder<number>();
  const onEvent = ({ seq }: { seq: number }) => {
    seen.add(seq);
    if (seq === 1) throw new Error('thrown');
    if (seq === 2) return Promise.reject(new Error('rejected'));
  };
  const { handle } = trial.follow({ after: 0, onEvent });
  const peer = await trial.open();
  peer.send(subscribed(0), ...events(1, 3));
  await seen.nth(3);
  expect(seen.values).toEqual([1, 2, 3]);
  expect(handle.position).toEqual({ seq: 3, epoch: EPOCH });
  await trial.problems.nth(2);
  expect(trial.problems.values.map(String)).toEqual(['Error: thrown', 'Error: rejected']);
});

describe('a followed Hub', () => {
  test.each(['not_found', 'forbidden', 'hub_deleted', 'not_member'])(
    'ends with %s after all earlier events, and the connection stays open',
    async (code) => {
      await using trial = startLiveTrial();
      const seen = new Recorder<number | string>();
      const onEvent = async ({ seq }: { seq: number }) => {
        await eventLoopTurn();
        seen.add(seq);
      };
      trial.follow({ after: 0, onEvent, onEnd: (end) => seen.add(`${end.code}: ${end.message}`) });
      const peer = await trial.open();
      peer.send(subscribed(0), event(1), event(2), { type: 'error', code, message: 'Why.', hubId: HUB }, event(3));
      await seen.nth(3);
      expect(seen.values).toEqual([1, 2, `${code}: Why.`]);
      expect(trial.live.state).toEqual({ status: 'live' });
      // The Hub can be followed again, for example after it was restored.
      trial.follow({ after: 2 });
      await peer.frames.nth(2);
    },
  );

  test('retries the subscription after unavailable instead of ending', async () => {
    await using trial = await followedTrial();
    await trial.peer.frames.nth(1);
    trial.peer.send({ type: 'error', code: 'unavailable', message: 'The disk is slow.', hubId: HUB });
    trial.peer.send({ type: 'hubs.changed' });
    await trial.clock.untilSleeping(2);
    trial.clock.advance(1_000);
    await trial.peer.frames.nth(2);
    trial.peer.send(subscribed(1), event(1));
    await trial.seen.first((value) => value === 1);
  });

  test('delivers nothing after stop, which discards queued events and unsubscribes', async () => {
    await using trial = startLiveTrial();
    const seen = new Recorder<number | string>();
    const { handle } = trial.follow({
      after: 0,
      onEvent: ({ seq }) => {
        seen.add(seq);
        if (seq === 2) handle.stop();
      },
      onEnd: () => seen.add('end'),
    });
    const other = trial.follow({ after: 0 }, 'hub_2');
    const peer = await trial.open();
    peer.send(subscribed(0), ...events(1, 4), subscribed(0, EPOCH, 'hub_2'));
    await other.seen.nth(1);
    expect(seen.values).toEqual([1, 2]);
    expect(await peer.frames.first(({ type }) => type === 'unsubscribe')).toEqual({ type: 'unsubscribe', hubId: HUB });
  });
});

describe('a reset', () => {
  test('is finished before any other event of the Hub is delivered', async () => {
    await using trial = startLiveTrial();
    const loaded = Promise.withResolvers<void>();
    const seen = new Recorder<number | string>();
    const { handle } = trial.follow({
      after: 90,
      epoch: 'previous',
      onEvent: ({ seq }) => seen.add(seq),
      onReset: async ({ seq, epoch }) => {
        seen.add(`reset ${seq} ${epoch}`);
        await loaded.promise;
        seen.add('loaded');
      },
    });
    const other = trial.follow({ after: 0 }, 'hub_2');
    const peer = await trial.open();
    peer.send(reset(12), event(13), event(14), subscribed(0, EPOCH, 'hub_2'), event(1, 'hub_2'));
    await other.seen.first((value) => value === 1);
    expect(seen.values).toEqual([`reset 12 ${EPOCH}`]);
    expect(handle.position).toEqual({ seq: 90, epoch: 'previous' });
    loaded.resolve();
    await seen.first((value) => value === 14);
    expect(seen.values).toEqual([`reset 12 ${EPOCH}`, 'loaded', 13, 14]);
    expect(handle.position).toEqual({ seq: 14, epoch: EPOCH });
  });

  test('continues after the position of the loaded lists', async () => {
    await using trial = startLiveTrial();
    const seen = new Recorder<number>();
    const { handle } = trial.follow({
      after: 90,
      epoch: 'previous',
      onEvent: ({ seq }) => seen.add(seq),
      onReset: async () => {
        await eventLoopTurn();
        handle.setPosition(14, EPOCH);
      },
    });
    const peer = await trial.open();
    peer.send(reset(12), ...events(13, 16));
    await seen.first((value) => value === 16);
    expect(seen.values).toEqual([15, 16]);
    // Everything had already arrived, so there was no second subscribe.
    handle.stop();
    expect(await peer.frames.nth(2)).toEqual({ type: 'unsubscribe', hubId: HUB });
  });

  test('is repeated until the lists are loaded', async () => {
    await using trial = startLiveTrial();
    const attempts = new Recorder<number>();
    const { seen } = trial.follow({
      after: 90,
      epoch: 'previous',
      onReset: ({ seq }) => {
        attempts.add(seq);
        if (attempts.values.length < 3) return Promise.reject(new Error('The server is not available yet.'));
      },
    });
    const peer = await trial.open();
    peer.send(reset(12), event(13));
    for (const attempt of [1, 2]) {
      await trial.problems.nth(attempt);
      expect(seen.values).toEqual([]);
      trial.clock.advance(15_000);
    }
    await seen.first((value) => value === 13);
    expect(attempts.values).toEqual([12, 12, 12]);
  });
});

/** Returns a reader that finishes an event only when the test calls `take`. */
function slowReader() {
  const begun = new Recorder<number>();
  let release = () => {};
  const onEvent = ({ seq }: { seq: number }) => {
    begun.add(seq);
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  /** Waits until this event is read, and finishes it. */
  const take = async (seq: number) => {
    expect(await begun.nth(seq)).toBe(seq);
    release();
  };
  return { onEvent, take };
}

test('a queue that was full of large events has room after a jump to another position', () => {
  const deps = { environment: systemEnvironment, onDrain: () => {}, onError: () => {} };
  const delivery = new Delivery({ onEvent: () => new Promise(() => {}) }, deps);
  for (const seq of [1, 2]) delivery.push({ kind: 'event', event: event(seq), characters: 4 * 1024 * 1024 });
  expect(delivery.isFull).toBe(true);
  delivery.startAt({ seq: 9, epoch: EPOCH });
  expect(delivery.isFull).toBe(false);
});

test('a reader with a full queue does not subscribe after a reconnect until there is room', async () => {
  await using trial = startLiveTrial();
  const reader = slowReader();
  trial.follow({ after: 0, onEvent: reader.onEvent, queueLimit: 2 });
  const other = trial.follow({ after: 0 }, 'hub_2');
  const first = await trial.open();
  // One event is in progress and two wait. The fourth is not kept.
  first.send(subscribed(0), ...events(1, 5));
  await first.frames.nth(3);
  first.cut();
  await trial.reconnect();
  const second = await trial.server.peers.nth(2);
  expect(await second.frames.nth(1)).toEqual({ type: 'subscribe', hubId: 'hub_2', after: 0 });
  await reader.take(1);
  expect(await second.frames.nth(2)).toEqual({ type: 'subscribe', hubId: HUB, after: 3, epoch: EPOCH });
  other.handle.stop();
});
