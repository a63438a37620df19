import { describe, expect, test } from 'bun:test';
import { EPOCH, event, events, HUB, startLiveTrial, subscribed } from '@hub/testkit/client/live-trial';
import { Recorder } from '@hub/testkit/client/recorder';

describe('following a Hub', () => {
  test('delivers the missing events and then new ones, each once and in order', async () => {
    await using trial = startLiveTrial();
    const { handle, seen } = trial.follow({ after: 3, epoch: EPOCH });
    const peer = await trial.open();
    expect(await peer.frames.nth(1)).toEqual({ type: 'subscribe', hubId: HUB, after: 3, epoch: EPOCH });
    peer.send(subscribed(5), ...events(4, 7));
    await seen.nth(5);
    expect(seen.values).toEqual([4, 5, 'caught up 5', 6, 7]);
    expect(handle.position).toEqual({ seq: 7, epoch: EPOCH });
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

  test('drops duplicate events', async () => {
    await using trial = startLiveTrial();
    const { seen } = trial.follow({ after: 0 });
    const peer = await trial.open();
    peer.send(subscribed(0), event(1), event(1), event(2), event(1), event(2), event(3));
    await seen.first((value) => value === 3);
    expect(seen.values).toEqual(['caught up 0', 1, 2, 3]);
  });

  test('subscribes again from the last consecutive event after a gap', async () => {
    await using trial = startLiveTrial();
    const { seen } = trial.follow({ after: 0 });
    const peer = await trial.open();
    peer.send(subscribed(0), event(1), event(3), event(4));
    expect(await peer.frames.nth(2)).toEqual({ type: 'subscribe', hubId: HUB, after: 1, epoch: EPOCH });
    // Events of the previous subscription are ignored until the server responds.
    peer.send(event(5), subscribed(5), ...events(2, 6));
    await seen.first((value) => value === 6);
    expect(seen.values).toEqual(['caught up 0', 1, 2, 3, 4, 5, 6]);
  });

  test('starts over with a reset if the gap persists', async () => {
    await using trial = startLiveTrial();
    const { seen } = trial.follow({ after: 0 });
    const peer = await trial.open();
    peer.send(subscribed(5), event(1), event(3));
    await peer.frames.nth(2);
    peer.send(subscribed(5), event(3));
    expect(await peer.frames.nth(3)).toEqual({ type: 'subscribe', hubId: HUB });
    peer.send(subscribed(5), event(6));
    await seen.first((value) => value === 6);
    expect(seen.values).toEqual([1, `reset 5 ${EPOCH}`, 'caught up 5', 6]);
  });
});

describe('an onEvent that fails', () => {
  test('does not stop delivery, and the event is not delivered again', async () => {
    await using trial = startLiveTrial();
    const seen = new Recorder<number>();
    const { handle } = trial.follow({
      after: 0,
      onEvent: ({ seq }) => {
        seen.add(seq);
        if (seq === 1) throw new Error('thrown');
        if (seq === 2) return Promise.reject(new Error('rejected'));
      },
    });
    const peer = await trial.open();
    peer.send(subscribed(0), ...events(1, 3));
    await seen.nth(3);
    expect(seen.values).toEqual([1, 2, 3]);
    expect(handle.position).toEqual({ seq: 3, epoch: EPOCH });
    await trial.problems.nth(2);
    expect(trial.problems.values.map(String)).toEqual(['Error: thrown', 'Error: rejected']);
  });
});
