import { describe, expect, test } from 'bun:test';
import { EPOCH, event, events, HUB, reset, startLiveTrial, subscribed } from '../testing/live-trial.ts';
import { turnOfTheLoop } from '../testing/outcome.ts';
import { Recorder } from '../testing/recorder.ts';

describe('following a Hub', () => {
  test('delivers what was missing and then what comes, each once and in order', async () => {
    await using trial = startLiveTrial();
    const { handle, seen } = trial.follow({ after: 3, epoch: EPOCH });
    const peer = await trial.open();
    expect(await peer.frames.nth(1)).toEqual({ type: 'subscribe', hubId: HUB, after: 3, epoch: EPOCH });
    peer.send(subscribed(5), ...events(4, 7));
    await seen.nth(5);
    expect(seen.values).toEqual([4, 5, 'caught up 5', 6, 7]);
    expect(handle.position).toEqual({ seq: 7, epoch: EPOCH });
  });

  test('begins now if no number is given, and knows from the answer where that is', async () => {
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

  test('drops what came before', async () => {
    await using trial = startLiveTrial();
    const { seen } = trial.follow({ after: 0 });
    const peer = await trial.open();
    peer.send(subscribed(0), event(1), event(1), event(2), event(1), event(2), event(3));
    await seen.first((value) => value === 3);
    expect(seen.values).toEqual(['caught up 0', 1, 2, 3]);
  });

  test('takes a gap in the numbers for a fault: asks again from the last good number', async () => {
    await using trial = startLiveTrial();
    const { seen } = trial.follow({ after: 0 });
    const peer = await trial.open();
    peer.send(subscribed(0), event(1), event(3), event(4));
    expect(await peer.frames.nth(2)).toEqual({ type: 'subscribe', hubId: HUB, after: 1, epoch: EPOCH });
    // What the former subscription still sends does not count until the server has answered.
    peer.send(event(5), subscribed(5), ...events(2, 6));
    await seen.first((value) => value === 6);
    expect(seen.values).toEqual(['caught up 0', 1, 2, 3, 4, 5, 6]);
  });

  test('takes a gap that stays for history that is lost: begins anew with a reset', async () => {
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

  test('keeps Hubs apart', async () => {
    await using trial = startLiveTrial();
    const one = trial.follow({ after: 0 });
    const two = trial.follow({ after: 0 }, 'hub_2');
    const peer = await trial.open();
    peer.send(subscribed(0), subscribed(0, EPOCH, 'hub_2'), event(1, 'hub_2'), event(1), event(2, 'hub_2'));
    peer.send({ type: 'error', code: 'hub_deleted', message: 'The Hub was deleted.', hubId: HUB }, event(3, 'hub_2'));
    await two.seen.first((value) => value === 3);
    expect(two.seen.values).toEqual(['caught up 0', 1, 2, 3]);
    expect(one.seen.values).toEqual(['caught up 0', 1, 'end hub_deleted']);
  });

  test('passes over kinds of frames that a later server may send', async () => {
    await using trial = startLiveTrial();
    const { seen } = trial.follow({ after: 0 });
    const peer = await trial.open();
    peer.send({ type: 'greeting' }, subscribed(0), { type: 'note', hubId: HUB }, event(1));
    await seen.first((value) => value === 1);
    expect(trial.live.state).toEqual({ status: 'live' });
  });
});

describe('a reset', () => {
  test('is over before anything else of the Hub is delivered', async () => {
    await using trial = startLiveTrial();
    const loaded = Promise.withResolvers<void>();
    const seen = new Recorder<number | string>();
    const { handle } = trial.follow({
      after: 90,
      epoch: 'of before',
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
    expect(handle.position).toEqual({ seq: 90, epoch: 'of before' });
    loaded.resolve();
    await seen.first((value) => value === 14);
    expect(seen.values).toEqual([`reset 12 ${EPOCH}`, 'loaded', 13, 14]);
    expect(handle.position).toEqual({ seq: 14, epoch: EPOCH });
  });

  test('goes on after the number of the lists that were loaded', async () => {
    await using trial = startLiveTrial();
    const seen = new Recorder<number>();
    const { handle } = trial.follow({
      after: 90,
      epoch: 'of before',
      onEvent: ({ seq }) => seen.add(seq),
      onReset: async () => {
        await turnOfTheLoop();
        handle.setPosition(14, EPOCH);
      },
    });
    const peer = await trial.open();
    peer.send(reset(12), ...events(13, 16));
    await seen.first((value) => value === 16);
    expect(seen.values).toEqual([15, 16]);
    // Everything was there already, so nothing had to be asked for.
    handle.stop();
    expect(await peer.frames.nth(2)).toEqual({ type: 'unsubscribe', hubId: HUB });
  });

  test('is repeated until the lists could be loaded', async () => {
    await using trial = startLiveTrial();
    const attempts = new Recorder<number>();
    const { seen } = trial.follow({
      after: 90,
      epoch: 'of before',
      onReset: ({ seq }) => {
        attempts.add(seq);
        if (attempts.values.length < 3) return Promise.reject(new Error('The server is not back yet.'));
      },
    });
    const peer = await trial.open();
    peer.send(reset(12), event(13));
    for (const attempt of [1, 2]) {
      await trial.faults.nth(attempt);
      expect(seen.values).toEqual([]);
      trial.clock.advance(15_000);
    }
    await seen.first((value) => value === 13);
    expect(attempts.values).toEqual([12, 12, 12]);
  });
});

describe('setPosition', () => {
  test('ahead passes over what is not delivered yet', async () => {
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

  test('back, or to another epoch, asks the server for what comes after it', async () => {
    await using trial = startLiveTrial();
    const { handle, seen } = trial.follow({ after: 0 });
    const peer = await trial.open();
    peer.send(subscribed(2), ...events(1, 2));
    await seen.first((value) => value === 'caught up 2');
    handle.setPosition(1, EPOCH);
    expect(await peer.frames.nth(2)).toEqual({ type: 'subscribe', hubId: HUB, after: 1, epoch: EPOCH });
    peer.send(event(3), subscribed(3), ...events(2, 3));
    await seen.first((value) => value === 'caught up 3');
    expect(seen.values).toEqual([1, 2, 'caught up 2', 2, 3, 'caught up 3']);
    handle.setPosition(9, 'another');
    expect(await peer.frames.nth(3)).toEqual({ type: 'subscribe', hubId: HUB, after: 9, epoch: 'another' });
  });
});

describe('a function that fails', () => {
  test('stops neither its own Hub nor another, and the event counts as done', async () => {
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
    await trial.faults.nth(2);
    expect(trial.faults.values.map(String)).toEqual(['Error: thrown', 'Error: rejected']);
  });

  test('surfaces as an uncaught error if nobody is told of it', async () => {
    await using trial = startLiveTrial();
    const program = `
      import { connectLive } from '${import.meta.dir}/index.ts';
      process.once('uncaughtException', (error) => console.log('uncaught:', error.message));
      const live = connectLive({ baseUrl: '${trial.server.url}' });
      const onEvent = ({ seq }) => {
        if (seq === 1) throw new Error('faulty listener');
        console.log(seq);
        live.close();
      };
      live.follow('${HUB}', { after: 0, onEvent, onReset: () => {} });
    `;
    const child = Bun.spawn([process.execPath, '-e', program]);
    const peer = await trial.server.peers.nth(2);
    await peer.frames.nth(1);
    peer.send(subscribed(0), event(1), event(2));
    expect((await child.stdout.text()).trim().split('\n').sort()).toEqual(['2', 'uncaught: faulty listener']);
    expect(await child.exited).toBe(0);
  });
});

describe('the end of following', () => {
  test.each(['not_found', 'forbidden', 'hub_deleted', 'not_member'] as const)(
    '%s is told after the events that came before, and the connection stays',
    async (code) => {
      await using trial = startLiveTrial();
      const seen = new Recorder<number | string>();
      trial.follow({
        after: 0,
        onEvent: async ({ seq }) => {
          await turnOfTheLoop();
          seen.add(seq);
        },
        onEnd: (end) => seen.add(`${end.code}: ${end.message}`),
      });
      const peer = await trial.open();
      peer.send(subscribed(0), event(1), event(2), { type: 'error', code, message: 'Why.', hubId: HUB }, event(3));
      await seen.nth(3);
      expect(seen.values).toEqual([1, 2, `${code}: Why.`]);
      expect(trial.live.state).toEqual({ status: 'live' });
      // It can be followed again, as after a Hub was restored.
      trial.follow({ after: 2 });
      await peer.frames.nth(2);
    },
  );

  test('unavailable is no end: it is asked again later', async () => {
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

  test('stop ends it at once, also what waits, and tells the server', async () => {
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

  test('a Hub that is followed again heeds only the answer to its own question', async () => {
    await using trial = startLiveTrial();
    const first = trial.follow({ after: 0 });
    const peer = await trial.open();
    await peer.frames.nth(1);
    first.handle.stop();
    const second = trial.follow({ after: 7, epoch: EPOCH });
    await peer.frames.nth(3);
    peer.send(subscribed(8), ...events(1, 8), subscribed(8), event(8));
    await second.seen.first((value) => value === 'caught up 8');
    expect(second.seen.values).toEqual([8, 'caught up 8']);
    expect(first.seen.values).toEqual([]);
  });

  test('a Hub is followed once at a time', async () => {
    await using trial = startLiveTrial();
    trial.follow();
    expect(() => trial.follow()).toThrow('The Hub hub_1 is followed already');
  });
});
