import { expect, test } from 'bun:test';
import { ManualClock } from '@hub/testkit/client/manual-clock';
import { Pacers } from './pacers.ts';

const slot = { paced: true, blockWaitMs: 0, signal: undefined };

test('clients with the same address and key share one pacer; others do not', () => {
  const pacers = new Pacers(new ManualClock());
  const one = pacers.of('https://a.test', 'key 1');
  expect(pacers.of('https://a.test', 'key 1')).toBe(one);
  expect(pacers.of('https://a.test', 'key 2')).not.toBe(one);
  expect(pacers.of('https://b.test', 'key 1')).not.toBe(one);
});

test('a pacer is kept while it counts requests, and is discarded with its key afterward', async () => {
  const clock = new ManualClock();
  const pacers = new Pacers(clock);
  const used = pacers.of('https://a.test', 'key 1');
  (await used.turn(used.takeSlot(slot))).end();
  pacers.of('https://a.test', 'key 2');
  expect(pacers.of('https://a.test', 'key 1')).toBe(used);
  clock.advance(60_050);
  pacers.of('https://a.test', 'key 3');
  expect(pacers.of('https://a.test', 'key 1')).not.toBe(used);
});
