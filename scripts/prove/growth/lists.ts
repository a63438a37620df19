import { KEY_PREFIX } from '@hub/contract';
import { newToken, type Proof, quantile } from '@hub/testkit';
import type { Caller, ListCase } from './list-cases.ts';
import type { SeededData } from './seed.ts';
import type { KeyState } from './seed-keys.ts';
import { FREQUENT, RARE, word } from './seed-users.ts';

const SWEEPS = 3;
const MORE_SWEEPS = 10;
/** A bound of 2 ms needs more: a single pause of a busy machine exceeds it. */
const GATE_SWEEPS = 6;

/** The samples of one task from several sweeps across all tasks. */
interface Swept {
  readonly name: string;
  readonly sweeps: number[][];
}
/** A task; `once` resolves with its duration in milliseconds. */
interface Task {
  readonly name: string;
  readonly once: () => Promise<readonly number[]>;
}

/** Runs all tasks in turn, round by round, so that each finds the caches in the state in which the others left them. */
async function sweep(tasks: readonly Task[], rounds: number, sweeps = SWEEPS): Promise<Swept[]> {
  const swept = tasks.map(({ name }) => ({ name, sweeps: [] as number[][] }));
  for (let n = 0; n < sweeps; n += 1) {
    for (const each of swept) each.sweeps.push([]);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { once }] of tasks.entries()) swept[index]?.sweeps[n]?.push(...(await once()));
    }
  }
  return swept;
}

/**
 * Like `sweep`, but with more sweeps of the tasks that were slower than the bound, since with few samples per sweep a
 * busy machine can slow down a task in each of them.
 */
async function sweepWithin(boundMs: number, tasks: readonly Task[], rounds: number): Promise<Swept[]> {
  const swept = await sweep(tasks, rounds);
  const slow = swept.flatMap((each, index) => (p99(each) >= boundMs ? [index] : []));
  const again = await sweep(
    slow.map((index) => tasks[index] as Task),
    rounds,
    MORE_SWEEPS,
  );
  for (const [n, index] of slow.entries()) swept[index]?.sweeps.push(...(again[n]?.sweeps ?? []));
  return swept;
}

/** Returns the value from the best sweep: other load makes responses slower, never faster. */
export function p99({ sweeps }: Swept): number {
  return Math.min(...sweeps.map((samples) => quantile(samples, 0.99)));
}

export function p50({ sweeps }: Swept): number {
  return quantile(sweeps.flat(), 0.5);
}

export function format(swept: Swept): string {
  return `${swept.name}: p99 ${p99(swept).toFixed(2)} ms, p50 ${p50(swept).toFixed(2)} ms`;
}

const PAGE_BOUND_MS = 50;
const SEARCH_PATH = '/api/v1/search';

/** Measures every page of every list except searches, which have their own limit. */
export async function measureLists(
  proof: Proof,
  { caller, lists, rounds, when }: { caller: Caller; lists: readonly ListCase[]; rounds: number; when: string },
): Promise<void> {
  const read = async ({ pages, token }: ListCase): Promise<number[]> => {
    const taken: number[] = [];
    for (const page of pages) {
      const { ms, status, body } = await caller.get(page, token);
      if (status !== 200) throw new Error(`${page}: ${status} ${body}`);
      taken.push(ms);
    }
    return taken;
  };
  const measured = lists.filter(({ route }) => route !== SEARCH_PATH);
  const tasks = measured.map((list) => ({ name: `${list.route} ${list.name}`, once: () => read(list) }));
  const swept = await sweepWithin(PAGE_BOUND_MS, tasks, rounds);
  const byRoute = Map.groupBy(swept, (_, index) => measured[index]?.route ?? '');
  for (const cases of byRoute.values()) {
    const [worst] = cases.toSorted((one, other) => p99(other) - p99(one)) as [Swept];
    proof.report(`${format(worst)}, the slowest of ${cases.length} (${when})`);
  }
  const slow = swept.filter((each) => p99(each) >= PAGE_BOUND_MS);
  const pages = swept.flatMap(({ sweeps }) => sweeps.flat()).length;
  proof.check(
    `a page of any list takes under ${PAGE_BOUND_MS} ms (p99), ${when}`,
    slow.length === 0,
    slow.length === 0 ? `${byRoute.size} lists in ${swept.length} ways, ${pages} pages` : slow.map(format).join('; '),
  );
}

const SEARCH_BOUND_MS = 200;
/** The number of slowest searches to report. Searches over the limit are always listed. */
const REPORTED = 5;

/**
 * Searches for words of every frequency, alone and combined, as a member of many Hubs and as an admin who is a member
 * of all.
 */
export async function measureSearches(
  proof: Proof,
  { caller, fixture, rounds, when }: { caller: Caller; fixture: SeededData; rounds: number; when: string },
): Promise<void> {
  const { hubIds, keys, users } = fixture;
  const texts = {
    'a rare word': RARE.word,
    'a word of every tenth message': FREQUENT.tenth,
    'a word of every third': FREQUENT.third,
    // With a trailing space, the word is not a prefix.
    'the most frequent word': `${word(1)} `,
    'a word that nothing holds': 'xylophonist',
    'two frequent words': `${FREQUENT.tenth} ${FREQUENT.third}`,
    'a frequent and a rare word': `${FREQUENT.third} ${RARE.word}`,
    'four words': `${word(1)} ${word(2)} ${word(3)} ${word(4)}`,
    'a phrase': `"${FREQUENT.third} ${word(1)}"`,
    'a prefix of two letters': FREQUENT.tenth.slice(0, 2),
    'the beginning of a word of every third': FREQUENT.third.slice(0, 4),
    'a prefix of a syllable': word(5).slice(0, 3),
  };
  const filters = ['', 'kind=note', `hubId=${hubIds[0]}`, `keyId=${keys[0]?.id}`];
  const tasks = Object.entries({ member: users.ada, admin: users.admin }).flatMap(([who, { token }]) =>
    Object.entries(texts).flatMap(([name, text]) =>
      filters.map((filter) => {
        const path = `/api/v1/search?limit=100&q=${encodeURIComponent(text)}&${filter}`;
        return { name: `${name}, ${who}${filter && ` ${filter}`}`, once: () => search(caller, path, token) };
      }),
    ),
  );
  const swept = await sweepWithin(SEARCH_BOUND_MS, tasks, rounds);
  const slowest = swept.toSorted((one, other) => p99(other) - p99(one));
  for (const each of slowest.slice(0, REPORTED)) proof.report(`search for ${format(each)} (${when})`);
  const slow = slowest.filter((each) => p99(each) >= SEARCH_BOUND_MS);
  proof.check(
    `a search takes under ${SEARCH_BOUND_MS} ms (p99), ${when}`,
    slow.length === 0,
    slow.length === 0 ? `${swept.length} kinds, first and second page` : slow.map(format).join('; '),
  );
}

async function search(caller: Caller, path: string, token: string): Promise<number[]> {
  const taken: number[] = [];
  let next = '';
  for (let page = 0; page < 2 && next !== null; page += 1) {
    const { ms, status, body } = await caller.get(`${path}${next && `&before=${next}`}`, token);
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    taken.push(ms);
    next = (JSON.parse(body) as { next: string }).next;
  }
  return taken;
}

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
  const [unchecked, ...checked] = (await sweep(tasks, rounds, GATE_SWEEPS)) as [Swept, ...Swept[]];
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
