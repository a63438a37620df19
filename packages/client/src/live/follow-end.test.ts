import { describe, expect, test } from 'bun:test';
import { EPOCH, event, events, HUB, startLiveTrial, subscribed } from '@hub/testkit/client/live-trial';
import { eventLoopTurn } from '@hub/testkit/client/outcome';
import { Recorder } from '@hub/testkit/client/recorder';

describe('a followed Hub', () => {
  test.each(['not_found', 'forbidden', 'hub_deleted', 'not_member'] as const)(
    'ends with %s after all earlier events, and the connection stays open',
    async (code) => {
      await using trial = startLiveTrial();
      const seen = new Recorder<number | string>();
      trial.follow({
        after: 0,
        onEvent: async ({ seq }) => {
          await eventLoopTurn();
          seen.add(seq);
        },
        onEnd: (end) => seen.add(`${end.code}: ${end.message}`),
      });
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
    await using trial = startLiveTrial();
    const { seen } = trial.follow({ after: 0 });
    const peer = await trial.open();
    await peer.frames.nth(1);
    peer.send({ type: 'error', code: 'unavailable', message: 'The disk is slow.', hubId: HUB });
    peer.send({ type: 'hubs.changed' });
    await trial.clock.armed(2);
    trial.clock.advance(1_000);
    await peer.frames.nth(2);
    peer.send(subscribed(1), event(1));
    await seen.first((value) => value === 1);
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
