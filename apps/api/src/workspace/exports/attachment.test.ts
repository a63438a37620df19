import { expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { attachment, SLICE_BYTES, SLICE_MS } from './attachment.ts';

function watched(pieces: AsyncIterable<string>) {
  const calls: unknown[] = [];
  const clock = new TestClock();
  const response = attachment('x.json', pieces, {
    clock,
    onError: (error) => calls.push(error),
    onLeft: () => calls.push('left'),
    onEnd: () => calls.push('end'),
  });
  return { response, calls, clock };
}

test('sends everything to a reader that reads to the end, and reports only the end', async () => {
  const { response, calls } = watched(
    (async function* () {
      yield 'one ';
      yield 'two';
    })(),
  );
  expect([await response.text(), calls]).toEqual(['one two', ['end']]);
});

test('treats a reader that disconnects while a piece is being made as normal, and makes no further piece', async () => {
  const made: string[] = [];
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const { response, calls } = watched(
    (async function* () {
      yield 'first';
      asked.resolve();
      await go.promise;
      made.push('second');
      yield 'second';
      made.push('third');
      yield 'third';
    })(),
  );
  const reader = response.body?.getReader();
  await reader?.read();
  await asked.promise;
  const left = reader?.cancel();
  go.resolve();
  await left;
  expect([made, calls]).toEqual([['second'], ['end', 'left']]);
});

test('ignores a failure after the reader has disconnected', async () => {
  const go = Promise.withResolvers<void>();
  const { response, calls } = watched(
    (async function* () {
      yield 'first';
      await go.promise;
      throw new Error('No longer allowed to read this');
    })(),
  );
  const reader = response.body?.getReader();
  await reader?.read();
  const left = reader?.cancel();
  go.resolve();
  await left?.catch(() => {});
  expect(calls).toEqual(['end', 'left']);
});

test('reports a failure that occurs while the document is read, and the reader sees that the body is incomplete', async () => {
  const problem = new Error('The disk is gone');
  const { response, calls } = watched(
    (async function* () {
      yield 'first';
      throw problem;
    })(),
  );
  expect(await response.text().catch((error: Error) => error.message)).toBe('The disk is gone');
  expect(calls).toEqual(['end', problem]);
});

test('disconnects a reader that reads only a little now and then, but not one that reads a slice in each interval', async () => {
  const text = 'x'.repeat(5 * SLICE_BYTES);
  const { response, calls, clock } = watched(
    (async function* () {
      yield text;
    })(),
  );
  const reader = response.body?.getReader();
  for (let slice = 0; slice < 3; slice += 1) {
    expect((await reader?.read())?.value?.length).toBe(SLICE_BYTES);
    await clock.untilSleeping();
    clock.advance(SLICE_MS);
    await clock.untilSleeping();
  }
  clock.advance(SLICE_MS);
  await new Promise(setImmediate);
  const end = await reader?.read().catch((error: Error) => error.message);
  expect(end).toBe('The reader took less than 65536 bytes in 15 s');
  expect(calls).toEqual(['end', new Error('The reader took less than 65536 bytes in 15 s')]);
});

test('stops watching once the reader has read to the end', async () => {
  const { response, calls, clock } = watched(
    (async function* () {
      yield 'all';
    })(),
  );
  expect(await response.text()).toBe('all');
  clock.advance(SLICE_MS);
  await new Promise(setImmediate);
  expect([clock.sleeping, calls]).toEqual([0, ['end']]);
});
