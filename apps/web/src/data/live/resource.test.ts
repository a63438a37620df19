import { expect, test } from 'bun:test';
import { Resource } from './workspace.ts';

/** A resource whose loads the test settles, oldest first. */
function start() {
  const loads: PromiseWithResolvers<string>[] = [];
  const resource = new Resource<string>((stopped) => {
    const load = Promise.withResolvers<string>();
    stopped.addEventListener('abort', () => load.reject(new Error('aborted')));
    loads.push(load);
    return load.promise;
  });
  return { resource, loads, state: () => resource.state.peek() };
}

test('shows the error of a first load, and keeps a loaded value while a newer one loads, and when that fails', async () => {
  const { resource, loads, state } = start();
  expect(state()).toEqual({ status: 'loading' });
  const first = resource.reload();
  loads[0]?.reject(new Error('The server is away'));
  await first;
  expect(state()).toEqual({ status: 'failed', text: 'The server is away' });
  const retry = resource.reload();
  loads[1]?.resolve('one');
  await retry;
  const newer = resource.reload();
  expect(state()).toEqual({ status: 'ready', value: 'one' });
  loads[2]?.reject(new Error('The server is away'));
  await newer;
  expect(state()).toEqual({ status: 'ready', value: 'one' });
});

test('aborts an earlier load, which then resolves with the later one', async () => {
  const { resource, loads, state } = start();
  const first = resource.reload();
  const second = resource.reload();
  let isFirstOver = false;
  void first.then(() => {
    isFirstOver = true;
  });
  await new Promise(setImmediate);
  expect(isFirstOver).toBe(false);
  loads[1]?.resolve('two');
  await Promise.all([first, second]);
  expect(state()).toEqual({ status: 'ready', value: 'two' });
});

test('shows a value that was set, and restarts a load that may return an older one', async () => {
  const { resource, loads, state } = start();
  const first = resource.reload();
  resource.set('changed');
  expect([state(), loads.length]).toEqual([{ status: 'ready', value: 'changed' }, 2]);
  loads[1]?.resolve('changed too');
  await first;
  expect(state()).toEqual({ status: 'ready', value: 'changed too' });
  resource.set('changed again');
  expect([state(), loads.length]).toEqual([{ status: 'ready', value: 'changed again' }, 2]);
});
