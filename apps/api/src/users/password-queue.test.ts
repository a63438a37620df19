import { describe, expect, test } from 'bun:test';
import { PasswordQueue } from './password-queue.ts';

/** Creates a hasher that holds each password until the test releases it. */
function heldHasher() {
  const started: string[] = [];
  const held = new Map<string, () => void>();
  const queue = new PasswordQueue({
    hash: (password) => {
      started.push(password);
      return new Promise((resolve) => held.set(password, () => resolve(`hash of ${password}`)));
    },
    verify: async () => true,
  });
  const finish = async (password: string): Promise<void> => {
    held.get(password)?.();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { queue, started, finish };
}

describe('the password queue', () => {
  test('runs two jobs at the same time, and starts the next when one is done', async () => {
    const { queue, started, finish } = heldHasher();
    const first = queue.hash('1', 'a');
    for (const password of ['2', '3', '4']) queue.hash(password, 'a');
    expect(started).toEqual(['1', '2']);
    await finish('1');
    expect(await first).toBe('hash of 1');
    expect(started).toEqual(['1', '2', '3']);
    await finish('2');
    expect(started).toEqual(['1', '2', '3', '4']);
    expect(queue.waiting).toBe(0);
  });

  test('alternates between addresses, and keeps the order within each', async () => {
    const { queue, started, finish } = heldHasher();
    for (const password of ['a1', 'a2', 'a3', 'a4', 'a5']) queue.hash(password, 'a');
    for (const password of ['b1', 'b2']) queue.hash(password, 'b');
    for (const password of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5']) await finish(password);
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5']);
  });

  test('counts an IPv6 /64 as one address, since one client usually has a whole /64', async () => {
    const { queue, started, finish } = heldHasher();
    for (let host = 1; host <= 5; host += 1) queue.hash(`a${host}`, `2001:db8::${host}`);
    queue.hash('b', '2001:db8:0:1::1');
    for (const password of ['a1', 'a2', 'a3']) await finish(password);
    expect(started).toEqual(['a1', 'a2', 'a3', 'b', 'a4']);
  });

  test('rejects only the last job of the longest queue when too many wait', async () => {
    const { queue } = heldHasher();
    const rejected: string[] = [];
    const ask = (password: string, address: string) => {
      queue.hash(password, address).catch(({ code }) => rejected.push(`${password} ${code}`));
    };
    for (let count = 0; count < 66; count += 1) ask(`a${count}`, 'a');
    ask('b', 'b');
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    expect(rejected).toEqual(['a65 unavailable']);
    expect(queue.waiting).toBe(64);
  });

  test('can verify a password for an unknown user even after one such attempt has failed', async () => {
    let isBroken = true;
    const queue = new PasswordQueue({
      hash: async (password) => {
        if (isBroken) throw new Error('no memory');
        return password;
      },
      verify: async (password, hash) => password === hash,
    });
    expect(await queue.verify('x', null, 'a').catch(() => 'failed')).toBe('failed');
    isBroken = false;
    expect(await queue.verify('x', null, 'a')).toBe(false);
    expect(await queue.verify('x', 'x', 'a')).toBe(true);
  });

  test('continues after a failure', async () => {
    let isBroken = true;
    const queue = new PasswordQueue({
      hash: async (password) => {
        if (isBroken) throw new Error('no memory');
        return password;
      },
      verify: async () => true,
    });
    const failed = Array.from({ length: 4 }, () => queue.hash('x', 'a').catch(() => 'failed'));
    expect(await Promise.all(failed)).toEqual(Array.from({ length: 4 }, () => 'failed'));
    isBroken = false;
    expect(await queue.hash('x', 'a')).toBe('x');
    expect(queue.waiting).toBe(0);
  });
});
