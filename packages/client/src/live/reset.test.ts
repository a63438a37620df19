import { describe, expect, test } from 'bun:test';
import { EPOCH, event, events, HUB, reset, startLiveTrial, subscribed } from '@hub/testkit/client/live-trial';
import { eventLoopTurn } from '@hub/testkit/client/outcome';
import { Recorder } from '@hub/testkit/client/recorder';

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

describe('setPosition', () => {
  test('with a later position skips the events up to it', async () => {
    await using trial = startLiveTrial();
    const { handle, seen } = trial.follow({ after: 0 });
    const peer = await trial.open();
    peer.send(subscribed(0), event(1));
    await seen.first((value) => value === 1);
    handle.setPosition(3, EPOCH);
    expect(handle.position).toEqual({ seq: 3, epoch: EPOCH });
    peer.send(...events(2, 5));
    await seen.first((value) => value === 5);
    expect(seen.values).toEqual(['caught up 0', 1, 4, 5]);
    handle.stop();
    expect(await peer.frames.nth(2)).toEqual({ type: 'unsubscribe', hubId: HUB });
  });
});
