import { expect, test } from 'bun:test';
import type { Cli } from '../../runtime/cli.ts';
import { NewHubs } from './followed-hubs.ts';

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

test('a Hub is new if it was created after the command began', () => {
  const { isNew } = startWatching();
  expect([isNew(-1), isNew(0), isNew(1)]).toEqual([false, true, true]);
});

test('a Hub on a remote server whose clock is slightly behind is still new', () => {
  expect(startWatching('https://hub.example.com').isNew(-2_000)).toBe(true);
  expect(startWatching('http://127.0.0.1:3000').isNew(-2_000)).toBe(false);
});

test('a Hub that was created while disconnected is new until Hubs are listed again', () => {
  const { newHubs, isNew, pass } = startWatching();
  pass(5 * HOUR_MS);
  newHubs.disconnected();
  pass(5 * HOUR_MS);
  newHubs.disconnected();
  expect([isNew(4 * HOUR_MS), isNew(6 * HOUR_MS)]).toEqual([false, true]);
  newHubs.listed();
  expect(isNew(6 * HOUR_MS)).toBe(false);
});
