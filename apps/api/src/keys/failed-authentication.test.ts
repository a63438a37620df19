import { describe, expect, test } from 'bun:test';
import { TestClock } from '../testing/test-clock.ts';
import { clientNetwork } from './client-network.ts';
import { FailedAuthentication } from './failed-authentication.ts';

function setUp() {
  const clock = new TestClock();
  const failures = new FailedAuthentication(clock, clientNetwork);
  /** Whether the answer was held back, and if so, lets it go. */
  const isSlowed = async (address: string): Promise<boolean> => {
    const responded = failures.slow(address);
    const held = clock.sleeping > 0;
    clock.advance(3_000);
    await responded;
    return held;
  };
  const failTimes = async (address: string, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await isSlowed(address);
  };
  return { clock, failures, isSlowed, failTimes };
}

describe('failed authentication', () => {
  test('is slowed from the eleventh failure of an address on', async () => {
    const { isSlowed, failTimes } = setUp();
    await failTimes('192.0.2.1', 9);
    expect(await isSlowed('192.0.2.1')).toBe(false);
    expect(await isSlowed('192.0.2.1')).toBe(true);
  });

  test('is slowed twice as long each time, from 100 ms up to 3 s', async () => {
    const { clock, failures } = setUp();
    for (let n = 0; n < 10; n += 1) await failures.slow('192.0.2.1');
    for (const ms of [100, 200, 400, 800, 1_600, 3_000, 3_000]) {
      const responded = failures.slow('192.0.2.1');
      clock.advance(ms - 1);
      expect(clock.sleeping).toBe(1);
      clock.advance(1);
      expect(clock.sleeping).toBe(0);
      await responded;
    }
  });

  test('of one address does not slow another', async () => {
    const { isSlowed, failTimes } = setUp();
    await failTimes('192.0.2.1', 20);
    expect(await isSlowed('192.0.2.2')).toBe(false);
  });

  test('counts a /64 of IPv6 as one address, however it is written, and its neighbour as another', async () => {
    const { isSlowed, failTimes } = setUp();
    await failTimes('2001:db8:0:1::1', 10);
    expect(await isSlowed('2001:db8:0:1:ffff::2')).toBe(true);
    expect(await isSlowed('2001:db8::1:0:0:0:1')).toBe(true);
    expect(await isSlowed('2001:db8:0:2::1')).toBe(false);
    expect(await isSlowed('::1')).toBe(false);
  });

  test('IPv4 addresses that arrive mapped into IPv6 are told apart', async () => {
    const { isSlowed, failTimes } = setUp();
    await failTimes('::ffff:192.0.2.1', 10);
    expect(await isSlowed('::ffff:192.0.2.2')).toBe(false);
    expect(await isSlowed('::ffff:192.0.2.1')).toBe(true);
  });

  test('is forgiven after a quiet minute', async () => {
    const { clock, isSlowed, failTimes } = setUp();
    await failTimes('192.0.2.1', 20);
    clock.advance(60_000);
    expect(await isSlowed('192.0.2.1')).toBe(false);
  });

  test('memory is bounded: the addresses that failed longest ago are forgotten', async () => {
    const { failures } = setUp();
    for (let n = 0; n < 10; n += 1) await failures.slow('192.0.2.1');
    for (let n = 0; n < 12_000; n += 1) await failures.slow(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    expect(failures.size).toBe(10_000);
  });

  test('an address that goes on failing is not forgotten, however many others come between', async () => {
    const { clock, failures } = setUp();
    for (let n = 0; n < 50_000; n += 1) {
      if (n % 4_000 === 0) void failures.slow('192.0.2.1');
      await failures.slow(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    }
    expect(failures.size).toBe(10_000);
    expect(clock.sleeping).toBe(3);
  });

  test('no more than 500 answers are held back at once: the next are given at once', async () => {
    const { clock, failures } = setUp();
    for (let n = 0; n < 10; n += 1) await failures.slow('192.0.2.1');
    const held = Array.from({ length: 500 }, () => failures.slow('192.0.2.1'));
    expect(clock.sleeping).toBe(500);
    await failures.slow('192.0.2.1');
    clock.advance(3_000);
    await Promise.all(held);
    void failures.slow('192.0.2.1');
    expect(clock.sleeping).toBe(1);
  });

  test('takes about as long from 100,000 addresses in turn as from 2,000', () => {
    const FAILURES = 200_000;
    const busyFor = (addresses: number): number => {
      const { failures } = setUp();
      const names = Array.from({ length: addresses }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
      // Of the processor, so that nothing else that the machine does counts.
      const start = process.cpuUsage();
      for (let n = 0; n < FAILURES; n += 1) void failures.slow(names[n % addresses] ?? '');
      return process.cpuUsage(start).user;
    };
    const best = (addresses: number): number => Math.min(...[1, 2, 3].map(() => busyFor(addresses)));
    // Looking for the oldest from the front of the map each time made it some forty times.
    expect(best(100_000)).toBeLessThan(10 * best(2_000));
  });
});
