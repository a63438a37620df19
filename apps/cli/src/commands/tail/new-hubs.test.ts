import { expect, test } from 'bun:test';
import type { Cli } from '../../runtime/cli.ts';
import { NewHubs } from './new-hubs.ts';

const START = Date.parse('2026-03-01T09:30:00Z');
const HOUR_MS = 60 * 60_000;

function startWatching(url?: string) {
  let now = START;
  const connection = url === undefined ? { kind: 'socket' } : { kind: 'profile', url };
  const newHubs = new NewHubs({ connection, deps: { clock: { now: () => now } } } as unknown as Cli);
  return {
    newHubs,
    isNew: (createdAfterMs: number) => newHubs.has({ createdAt: new Date(START + createdAfterMs).toISOString() }),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a Hub is new that was made after the command began, and none that was there before', () => {
  const { isNew } = startWatching();
  expect([isNew(-1), isNew(0), isNew(1)]).toEqual([false, true, true]);
});

test('the clock of another machine may be a little behind, that of this one is not', () => {
  expect(startWatching('https://hub.example.com').isNew(-2_000)).toBe(true);
  expect(startWatching('http://127.0.0.1:3000').isNew(-2_000)).toBe(false);
});

test('a Hub that was made long ago is none, though the command is older: it would have been told of', () => {
  const { isNew, pass } = startWatching();
  pass(10 * HOUR_MS);
  expect([isNew(5 * HOUR_MS), isNew(10 * HOUR_MS - 1_000)]).toEqual([false, true]);
});

test('one that was made while there was no connection is new, up to the first look after that', () => {
  const { newHubs, isNew, pass } = startWatching();
  pass(5 * HOUR_MS);
  newHubs.lostSight();
  pass(5 * HOUR_MS);
  newHubs.lostSight();
  expect([isNew(4 * HOUR_MS), isNew(6 * HOUR_MS)]).toEqual([false, true]);
  newHubs.looked();
  expect(isNew(6 * HOUR_MS)).toBe(false);
});
