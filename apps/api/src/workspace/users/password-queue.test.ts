import { describe, expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { PasswordQueue } from './password-queue.ts';

/** Creates a hasher that holds each password until the test releases it. */
function heldHasher() {
  const started: string[] = [];
  const held = new Map<string, () => void>();
  const hash = (password: string): Promise<string> => {
    started.push(password);
    return new Promise((resolve) => held.set(password, () => resolve(`hash of ${password}`)));
  };
  const queue = new PasswordQueue({ hash, verify: async () => true }, new TestClock());
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  };
  const finish = async (password: string): Promise<void> => {
    held.get(password)?.();
    await settle();
  };
  return { queue, started, settle, finish };
}

describe('the password queue', () => {
  test('runs two jobs at the same time, one for each network, and starts the next when one is done', async () => {
    const { queue, started, settle, finish } = heldHasher();
    const first = queue.hash('a1', 'a');
    for (const password of ['a2', 'a3']) queue.hash(password, 'a');
    for (const password of ['b1', 'b2']) queue.hash(password, 'b');
    queue.hash('c1', 'c');
    await settle();
    expect(started).toEqual(['a1', 'b1']);
    await finish('a1');
    expect(await first).toBe('hash of a1');
    expect(started).toEqual(['a1', 'b1', 'a2']);
    for (const password of ['b1', 'a2', 'b2', 'c1']) await finish(password);
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'a3']);
    expect(queue.waiting).toBe(0);
  });

  test('counts an IPv6 /64 as one network, since one client usually has a whole /64', async () => {
    const { queue, started, settle, finish } = heldHasher();
    for (const host of [1, 2, 3]) queue.hash(`a${host}`, `2001:db8::${host}`);
    queue.hash('b', '2001:db8:0:1::1');
    await settle();
    expect(started).toEqual(['a1', 'b']);
    await finish('b');
    expect(started).toEqual(['a1', 'b']);
    await finish('a1');
    expect(started).toEqual(['a1', 'b', 'a2']);
  });

  test('can verify a password for an unknown user even after one such attempt has failed', async () => {
    let isBroken = true;
    const queue = new PasswordQueue(
      {
        hash: async (password) => {
          if (isBroken) throw new Error('no memory');
          return password;
        },
        verify: async (password, hash) => password === hash,
      },
      new TestClock(),
    );
    expect(await queue.verify('x', null, 'a').catch(() => 'failed')).toBe('failed');
    isBroken = false;
    expect(await queue.verify('x', null, 'a')).toBe(false);
    expect(await queue.verify('x', 'x', 'a')).toBe(true);
  });

  test('continues after a failure', async () => {
    let isBroken = true;
    const queue = new PasswordQueue(
      {
        hash: async (password) => {
          if (isBroken) throw new Error('no memory');
          return password;
        },
        verify: async () => true,
      },
      new TestClock(),
    );
    const failed = Array.from({ length: 4 }, () => queue.hash('x', 'a').catch(() => 'failed'));
    expect(await Promise.all(failed)).toEqual(Array.from({ length: 4 }, () => 'failed'));
    isBroken = false;
    expect(await queue.hash('x', 'a')).toBe('x');
    expect(queue.waiting).toBe(0);
  });
});
