import { KEY_PREFIX } from '@hub/contract';
import type { Proof } from '@hub/testkit';
import type { Caller } from './caller.ts';
import type { SeededData } from './seed.ts';
import type { KeyState } from './seed-keys.ts';
import { newToken } from './seed-users.ts';
import { format, p99, type Swept, sweep } from './sweeps.ts';

const CHECK_BOUND_MS = 2;
/** A path of the public API without a route, so that nothing runs after the key check. */
const NO_ROUTE = '/api/public/v1/nothing';

/**
 * Measures the key check: the time of requests that fail right after it, minus the time of requests without a key
 * check. The result is longer than the check itself, since an error is also created and logged. Each key is used once,
 * so that none is cached. Failed guesses slow down an address, so every request has a different one, set by a trusted
 * proxy.
 */
export async function measureGate(
  proof: Proof,
  { caller, fixture, rounds, when }: { caller: Caller; fixture: SeededData; rounds: number; when: string },
): Promise<void> {
  const address = (): string => `2001:db8:${hex()}:${hex()}::1`;
  const post = (token: string | undefined, expected: number) => async (): Promise<number[]> => {
    const headers = { 'x-forwarded-for': address(), ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const { ms, status, body } = await caller.send('POST', NO_ROUTE, headers);
    if (status !== expected) throw new Error(`a key that should return ${expected}: ${status} ${body}`);
    return [ms];
  };
  const fresh = (state: KeyState, expected: number) => {
    const left = fixture.keys.filter((key) => key.state === state).toReversed();
    let used = 0;
    return () => {
      const key = left[used % left.length];
      used += 1;
      return post(key?.token, expected)();
    };
  };
  const ready = async (): Promise<number[]> => [(await caller.get('/healthz')).ms];
  const tasks = [
    { name: 'nothing to check (/healthz)', once: ready },
    { name: 'no key', once: post(undefined, 401) },
    { name: 'a right key that is not known from before', once: fresh('active', 404) },
    { name: 'a wrong key', once: () => post(newToken(Math.random, KEY_PREFIX), 401)() },
    { name: 'an expired key', once: fresh('expired', 401) },
    { name: 'a revoked key', once: fresh('revoked', 401) },
  ];
  const [unchecked, ...checked] = (await sweep(tasks, rounds)) as [Swept, ...Swept[]];
  for (const each of [unchecked, ...checked]) proof.report(`a request with ${format(each)} (${when})`);
  const slow = checked.filter((each) => p99(each) - p99(unchecked) >= CHECK_BOUND_MS);
  proof.check(
    `the key check adds under ${CHECK_BOUND_MS} ms to a request (p99), ${when}`,
    slow.length === 0,
    checked.map((each) => `${each.name} ${(p99(each) - p99(unchecked)).toFixed(2)} ms`).join(', '),
  );
}

function hex(): string {
  return Math.floor(Math.random() * 0xffff).toString(16);
}
