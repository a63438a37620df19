import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import type { LiveState } from '@hub/client/live';
import { signal } from '@preact/signals';
import { fetchAhead, LazyModule } from './lazy-code.ts';

const { requestIdleCallback } = globalThis;

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { requestIdleCallback: (run: () => void) => queueMicrotask(run) });
});
afterEach(() => {
  jest.useRealTimers();
  Object.assign(globalThis, { requestIdleCallback });
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}

test('fetchAhead waits for a module that is already being fetched, then fetches the next', async () => {
  const opened = Promise.withResolvers<string>();
  let fetched = 0;
  const first = new LazyModule(() => opened.promise, { isAhead: true });
  const second = new LazyModule(async () => (fetched += 1), { isAhead: true });
  const isThere = first.fetch();
  void fetchAhead({ connection: signal<LiveState>({ status: 'live' }) });
  jest.runAllTimers();
  await settle();
  expect([fetched, second.state.peek().status]).toEqual([0, 'loading']);
  opened.resolve('code');
  await settle();
  expect([await isThere, fetched, second.state.peek().status]).toEqual([true, 1, 'ready']);
});
