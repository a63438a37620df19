import { expect, test } from 'bun:test';
import { EPOCH, event, events, HUB, startLiveTrial, subscribed } from '@hub/testkit/client/live-trial';
import { Recorder } from '@hub/testkit/client/recorder';

/** Returns a reader that finishes an event only when the test calls `takeOne`. */
function slowReader() {
  const begun = new Recorder<number>();
  const seqs: number[] = [];
  let release = () => {};
  return {
    begun,
    taken: seqs,
    onEvent: ({ seq }: { seq: number }) => {
      begun.add(seq);
      return new Promise<void>((resolve) => {
        release = () => {
          seqs.push(seq);
          resolve();
        };
      });
    },
    takeOne: () => release(),
  };
}

test('a slow reader keeps queueLimit events in memory; the rest stay on the server, and none are lost', async () => {
  await using trial = startLiveTrial();
  const reader = slowReader();
  trial.follow({ after: 0, onEvent: reader.onEvent, queueLimit: 4 });
  const other = trial.follow({ after: 0 }, 'hub_2');
  const peer = await trial.open();
  peer.send(subscribed(0), subscribed(0, EPOCH, 'hub_2'));
  // One event is in progress and four wait. The sixth is not kept.
  peer.send(...events(1, 9), event(1, 'hub_2'));
  await other.seen.first((value) => value === 1);
  expect(await peer.frames.nth(3)).toEqual({ type: 'unsubscribe', hubId: HUB });
  for (let seq = 1; seq <= 3; seq += 1) {
    await reader.begun.nth(seq);
    reader.takeOne();
  }
  // There is room again, so the client continues after the last event that it kept.
  expect(await peer.frames.nth(4)).toEqual({ type: 'subscribe', hubId: HUB, after: 5, epoch: EPOCH });
  peer.send(subscribed(9), ...events(6, 9));
  for (let seq = 4; seq <= 9; seq += 1) {
    await reader.begun.nth(seq);
    reader.takeOne();
    // The queue fills up again, and the server responds as before.
    if (seq === 5) peer.send(subscribed(9), ...events(8, 9));
  }
  expect(reader.taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a reader with a full queue does not subscribe after a reconnect until there is room', async () => {
  await using trial = startLiveTrial();
  const reader = slowReader();
  trial.follow({ after: 0, onEvent: reader.onEvent, queueLimit: 2 });
  const other = trial.follow({ after: 0 }, 'hub_2');
  const first = await trial.open();
  first.send(subscribed(0), ...events(1, 3));
  await first.frames.nth(3);
  first.cut();
  await trial.reconnect();
  const second = await trial.server.peers.nth(2);
  expect(await second.frames.nth(1)).toEqual({ type: 'subscribe', hubId: 'hub_2', after: 0 });
  await reader.begun.nth(1);
  reader.takeOne();
  await reader.begun.nth(2);
  expect(await second.frames.nth(2)).toEqual({ type: 'subscribe', hubId: HUB, after: 3, epoch: EPOCH });
  other.handle.stop();
});
