import { describe, expect, test } from 'bun:test';
import { LineWriter } from './line-writer.ts';

/** A file that accepts writes only when the test allows it. */
function slowFile() {
  const calls: { text: string; finish: (error: NodeJS.ErrnoException | null, written?: number) => void }[] = [];
  let called = (): void => {};
  const next = async () => {
    while (calls.length === 0) {
      await new Promise<void>((resolve) => {
        called = resolve;
      });
    }
    const call = calls.shift();
    if (!call) throw new Error('no call');
    return call;
  };
  return {
    next,
    write: (bytes: Uint8Array, done: (error: NodeJS.ErrnoException | null, written: number) => void): void => {
      const text = new TextDecoder().decode(bytes);
      calls.push({ text, finish: (error, written = bytes.length) => done(error, written) });
      called();
    },
  };
}

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

test('lines logged in one turn are written together, and later lines after them, in order', async () => {
  const file = slowFile();
  const writer = new LineWriter(file);
  writer.write('a\n');
  writer.write('b\n');
  const first = await file.next();
  expect(first.text).toBe('a\nb\n');
  writer.write('c\n');
  first.finish(null);
  const second = await file.next();
  expect(second.text).toBe('c\n');
  second.finish(null);
});

test('flush resolves when everything is written, or immediately if nothing is pending', async () => {
  const file = slowFile();
  const writer = new LineWriter(file);
  await writer.flush();
  writer.write('a\n');
  let isFlushed = false;
  const flushed = writer.flush().then(() => {
    isFlushed = true;
  });
  const call = await file.next();
  expect(isFlushed).toBe(false);
  call.finish(null);
  await flushed;
});

test('a partial write is continued', async () => {
  const file = slowFile();
  const writer = new LineWriter(file);
  writer.write('abc\n');
  (await file.next()).finish(null, 2);
  const rest = await file.next();
  expect(rest.text).toBe('c\n');
  rest.finish(null);
  await writer.flush();
});

test('a write to a full pipe is retried', async () => {
  const file = slowFile();
  const writer = new LineWriter(file);
  writer.write('a\n');
  (await file.next()).finish(failure('EAGAIN'), 0);
  const again = await file.next();
  expect(again.text).toBe('a\n');
  again.finish(null);
  await writer.flush();
});

test('a write to a full disk is retried until there is room, with pauses in between', async () => {
  const file = slowFile();
  const pauses: number[] = [];
  const writer = new LineWriter({ ...file, pause: async (ms) => void pauses.push(ms) });
  writer.write('a\n');
  (await file.next()).finish(failure('ENOSPC'), 0);
  (await file.next()).finish(failure('EDQUOT'), 0);
  (await file.next()).finish(failure('EIO'), 0);
  const again = await file.next();
  expect(again.text).toBe('a\n');
  again.finish(null);
  await writer.flush();
  expect(pauses).toEqual([1_000, 1_000, 1_000]);
});

describe('a reader of the log', () => {
  test('that stalls causes only bounded memory use, and gets a count of the dropped records', async () => {
    const file = slowFile();
    const writer = new LineWriter({ ...file, maxWaitingCharacters: 100 });
    writer.write('first\n');
    const first = await file.next();
    for (let n = 0; n < 1000; n += 1) writer.write('0123456789\n');
    first.finish(null);
    const second = await file.next();
    expect(second.text.length).toBeLessThan(250);
    expect(JSON.parse(second.text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      level: 'warn',
      droppedRecords: 990,
    });
    second.finish(null);
    writer.write('last\n');
    expect((await file.next()).text).toBe('last\n');
  });

  test('that is gone makes the writer stop, but not the server', async () => {
    const file = slowFile();
    const writer = new LineWriter(file);
    writer.write('a\n');
    (await file.next()).finish(failure('EPIPE'), 0);
    await writer.flush();
    writer.write('b\n');
    await writer.flush();
  });
});
