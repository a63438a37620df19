import { expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { FrameQueue } from './client-frames.ts';

function queue() {
  const clock = new TestClock();
  const frames = new FrameQueue(clock);
  const done: string[] = [];
  const task =
    (name: string, ms = 0) =>
    async () => {
      clock.advance(ms);
      done.push(name);
    };
  return { frames, done, task };
}

test('frames from one user are processed in order, and users take turns', async () => {
  const { frames, done, task } = queue();
  for (const name of ['a1', 'a2', 'a3']) frames.add('ada', task(name));
  for (const name of ['b1', 'b2']) frames.add('bob', task(name));
  await new Promise(setImmediate);
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('the queue yields to other work after a few milliseconds', async () => {
  const { frames, done, task } = queue();
  for (let n = 1; n <= 4; n += 1) frames.add('ada', task(`${n}`, 1));
  await Promise.resolve();
  setImmediate(() => done.push('else'));
  while (done.length < 5) await new Promise(setImmediate);
  expect(done).toEqual(['1', '2', 'else', '3', '4']);
});

test('frames that arrive after the queue has been emptied are processed', async () => {
  const { frames, done, task } = queue();
  frames.add('ada', task('1'));
  await new Promise(setImmediate);
  frames.add('ada', task('2'));
  await new Promise(setImmediate);
  expect(done).toEqual(['1', '2']);
});
