import { describe, expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { clientNetwork, FailedAuthentication } from './failed-authentication.ts';

function setUp() {
  const clock = new TestClock();
  const failures = new FailedAuthentication(clock, clientNetwork);
  /** Returns whether the response was delayed. If so, it also lets the delay pass. */
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

describe('the delay after failed authentication', () => {
  test('starts with the eleventh failure from an address, and doubles each time, from 100 ms up to 3 s', async () => {
    const { clock, failures, isSlowed, failTimes } = setUp();
    await failTimes('192.0.2.1', 9);
    expect(await isSlowed('192.0.2.1')).toBe(false);
    for (const ms of [100, 200, 400, 800, 1_600, 3_000, 3_000]) {
      const responded = failures.slow('192.0.2.1');
      clock.advance(ms - 1);
      expect(clock.sleeping).toBe(1);
      clock.advance(1);
      expect(clock.sleeping).toBe(0);
      await responded;
    }
    expect(await isSlowed('192.0.2.2')).toBe(false);
    clock.advance(60_000);
    expect(await isSlowed('192.0.2.1')).toBe(false);
  });

  test('treats an IPv6 /64 as one address, however it is written, and the next /64 as another', async () => {
    const { isSlowed, failTimes } = setUp();
    await failTimes('2001:db8:0:1::1', 10);
    expect(await isSlowed('2001:db8:0:1:ffff::2')).toBe(true);
    expect(await isSlowed('2001:db8::1:0:0:0:1')).toBe(true);
    expect(await isSlowed('2001:db8:0:2::1')).toBe(false);
    expect(await isSlowed('::1')).toBe(false);
  });

  test('still applies to an address that continues to fail, however many others fail in between', async () => {
    const { clock, failures } = setUp();
    for (let n = 0; n < 50_000; n += 1) {
      if (n % 4_000 === 0) void failures.slow('192.0.2.1');
      await failures.slow(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    }
    expect(failures.size).toBe(10_000);
    expect(clock.sleeping).toBe(3);
  });

  test('applies to at most 500 responses at the same time; all others are sent immediately', async () => {
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
});
