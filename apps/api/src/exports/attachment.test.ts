import { expect, test } from 'bun:test';
import { TestClock } from '../testing/test-clock.ts';
import { attachment, SLICE_BYTES, SLICE_MS } from './attachment.ts';

function watched(pieces: AsyncIterable<string>) {
  const notified: unknown[] = [];
  const clock = new TestClock();
  const response = attachment('x.json', pieces, {
    clock,
    onError: (error) => notified.push(error),
    onLeft: () => notified.push('left'),
  });
  return { response, notified, clock };
}

test('whoever reads to the end gets all of it, and there is nothing to tell', async () => {
  const { response, notified } = watched(
    (async function* () {
      yield 'one ';
      yield 'two';
    })(),
  );
  expect([await response.text(), notified]).toEqual(['one two', []]);
});

test('a reader who leaves while a piece is made is no fault, and no further piece is made', async () => {
  const made: string[] = [];
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const { response, notified } = watched(
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
  expect([made, notified]).toEqual([['second'], ['left']]);
});

test('what fails after its reader has left concerns nobody', async () => {
  const go = Promise.withResolvers<void>();
  const { response, notified } = watched(
    (async function* () {
      yield 'first';
      await go.promise;
      throw new Error('He may read no more of it');
    })(),
  );
  const reader = response.body?.getReader();
  await reader?.read();
  const left = reader?.cancel();
  go.resolve();
  await left?.catch(() => {});
  expect(notified).toEqual(['left']);
});

test('what fails while it is read is told, and its reader sees that this is not the end', async () => {
  const problem = new Error('The disk is gone');
  const { response, notified } = watched(
    (async function* () {
      yield 'first';
      throw problem;
    })(),
  );
  expect(await response.text().catch((error: Error) => error.message)).toBe('The disk is gone');
  expect(notified).toEqual([problem]);
});

test('whoever takes a little now and then is cut off, and whoever takes a slice each time is not', async () => {
  const text = 'x'.repeat(5 * SLICE_BYTES);
  const { response, notified, clock } = watched(
    (async function* () {
      yield text;
    })(),
  );
  const reader = response.body?.getReader();
  for (let slice = 0; slice < 3; slice += 1) {
    expect((await reader?.read())?.value?.length).toBe(SLICE_BYTES);
    await clock.slept();
    clock.advance(SLICE_MS);
    await clock.slept();
  }
  clock.advance(SLICE_MS);
  await new Promise(setImmediate);
  const end = await reader?.read().catch((error: Error) => error.message);
  expect(end).toBe('Its reader took less than 65536 bytes in 15 s');
  expect(notified).toEqual([new Error('Its reader took less than 65536 bytes in 15 s')]);
});

test('nobody waits for a reader who has read to the end', async () => {
  const { response, notified, clock } = watched(
    (async function* () {
      yield 'all';
    })(),
  );
  expect(await response.text()).toBe('all');
  clock.advance(SLICE_MS);
  await new Promise(setImmediate);
  expect([clock.sleeping, notified]).toEqual([0, []]);
});
