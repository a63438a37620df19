import { BASE62, buildToken, KEY_PREFIX, RANDOM_CHARACTERS } from '@hub/contract';
import { operations } from '@hub/contract/operations';
import type { OperationDeclaration } from '@hub/contract/operations/operation';
import { type Connection, openConnection, pick, quantile, rawHead } from '@hub/testkit';
import type { Proof } from '../kit/proof.ts';

/** Sends requests one after another over a keep-alive connection, and times complete responses. */
export class Caller {
  #connection: Connection | undefined;

  constructor(private readonly port: number) {}

  async get(path: string, headers: readonly string[] = [], method = 'GET') {
    // The server closes idle connections after a while.
    if (!this.#connection || this.#connection.isOver) this.#connection = await openConnection(this.port);
    const start = performance.now();
    const response = await this.#connection.send(rawHead(`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers));
    return { ms: performance.now() - start, status: response.status, body: response.body };
  }
}

interface Task {
  readonly name: string;
  /** Resolves with its duration in milliseconds. */
  readonly once: () => Promise<number>;
  readonly sweeps: number[][];
}

const SWEEPS = 3;
const MORE_SWEEPS = 8;

/** Runs all tasks in turn, round by round, so that each finds the caches in the state in which the others left them. */
async function sweep(tasks: readonly Task[], rounds: number, sweeps: number): Promise<void> {
  for (let n = 0; n < sweeps; n += 1) {
    for (const task of tasks) task.sweeps.push([]);
    for (let round = 0; round < rounds; round += 1) {
      for (const { once, sweeps: taken } of tasks) taken.at(-1)?.push(await once());
    }
  }
}

/** Returns the value from the best sweep: other load makes responses slower, never faster. */
function p99({ sweeps }: Task): number {
  return Math.min(...sweeps.map((samples) => quantile(samples, 0.99)));
}

const format = (task: Task): string => `${task.name}: ${p99(task).toFixed(2)} ms`;

/** Checks a bound on all tasks, with more sweeps of those that exceed it, since a busy machine slows down some. */
async function checkBound(proof: Proof, tasks: readonly Task[], what: string, boundMs: number, rounds: number) {
  await sweep(tasks, rounds, SWEEPS);
  const isSlow = (task: Task): boolean => p99(task) >= boundMs;
  await sweep(tasks.filter(isSlow), rounds, MORE_SWEEPS);
  const [slowest] = tasks.toSorted((one, other) => p99(other) - p99(one)) as [Task];
  const claim = `${what} takes under ${boundMs} ms (p99)`;
  proof.none(claim, tasks.filter(isSlow).map(format), `${tasks.length} kinds, the slowest ${format(slowest)}`);
}

/** Ids and other values for the paths and queries of lists, by the name of the parameter. */
export type Values = Readonly<Record<string, string>>;

/** Parameters that select a page rather than filter the list. */
const PAGE_PARAMETERS = new Set(['limit', 'before', 'after']);
const PAGES = 4;
const PAGE_BOUND_MS = 50;

/**
 * Measures every list of the workspace API, with each value of each filter: its first page and the ones after it. New lists
 * and filters are included by themselves; unknown parameters cause an error.
 */
export async function measureLists(
  proof: Proof,
  { caller, tokens, values, rounds }: { caller: Caller; tokens: readonly string[]; values: Values; rounds: number },
): Promise<void> {
  const tasks: Task[] = [];
  for (const [name, { success, query = {} }] of Object.entries<OperationDeclaration>(operations)) {
    const [method, path = ''] = name.split(' ');
    const isList = method === 'GET' && success.properties?.items?.type === 'array';
    if (!isList || path.endsWith('/search')) continue;
    const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => valueFor(values, parameter, path));
    for (const each of queriesOf(path, query, values)) {
      for (const token of tokens) tasks.push(...(await pagesOf(caller, token, `/api/v1${filled}?${each}`)));
    }
  }
  await checkBound(proof, tasks, 'a page of any list', PAGE_BOUND_MS, rounds);
}

function valueFor(values: Values, name: string, path: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`This proof has no value for ${name} in ${path}`);
  return encodeURIComponent(value);
}

/** Returns the query without a filter, and those with each value of each filter. */
function queriesOf(path: string, query: NonNullable<OperationDeclaration['query']>, values: Values): string[] {
  const filters = Object.entries(query).flatMap(([name, schema]) => {
    if (PAGE_PARAMETERS.has(name)) return [];
    const choices: (typeof schema)[] = schema.anyOf ?? [schema];
    return choices.map(({ const: value }) => `&${name}=${value ?? valueFor(values, name, path)}`);
  });
  const page = 'limit' in query ? 'limit=100' : '';
  return [page, ...filters.map((filter) => page + filter)];
}

/** Returns tasks for the first pages of a list; none if the caller cannot read it. */
async function pagesOf(caller: Caller, token: string, path: string): Promise<Task[]> {
  const headers = [`Authorization: Bearer ${token}`];
  const tasks: Task[] = [];
  let next: string | null | undefined = '';
  for (let page = 0; page < PAGES && typeof next === 'string'; page += 1) {
    const url: string = next === '' ? path : `${path}&before=${next}`;
    const { status, body } = await caller.get(url, headers);
    if (status === 403 || status === 404) return [];
    if (status !== 200) throw new Error(`${url}: ${status} ${body}`);
    ({ next } = JSON.parse(body) as { next?: string | null });
    tasks.push({ name: url, once: async () => (await caller.get(url, headers)).ms, sweeps: [] });
  }
  return tasks;
}

const SEARCH_BOUND_MS = 200;

/** Searches for words of every frequency, alone and combined. Every row has the words `Seed row` and its number. */
export async function measureSearches(
  proof: Proof,
  { caller, tokens, values, rounds }: { caller: Caller; tokens: readonly string[]; values: Values; rounds: number },
): Promise<void> {
  const texts = 'seed |se|row 77|77|"seed row 7"|seed row|xylophonist|seed row 1 2|"seed row" 5'.split('|');
  const filters = ['', `&hubId=${values.hubId}`, `&keyId=${values.keyId}`, '&kind=note'];
  const tasks = tokens.flatMap((token) =>
    texts.flatMap((text) =>
      filters.map((filter): Task => {
        const path = `/api/v1/search?limit=100&q=${encodeURIComponent(text)}${filter}`;
        const once = async (): Promise<number> => {
          const { ms, status, body } = await caller.get(path, [`Authorization: Bearer ${token}`]);
          if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
          return ms;
        };
        return { name: path, once, sweeps: [] };
      }),
    ),
  );
  await checkBound(proof, tasks, 'a search', SEARCH_BOUND_MS, rounds);
}

const CHECK_BOUND_MS = 2;
/** A path of the public API without a route, so that nothing runs after the key check. */
const NO_ROUTE = '/api/public/v1/nothing';
/** A bound of 2 ms needs more: a single pause of a busy machine exceeds it. */
const [CHECK_SWEEPS, MOST_CHECK_SWEEPS] = [6, 30];

/**
 * Measures the key check: the time of requests that fail right after it, minus the time of requests without a key check.
 * Each key is used once, so that none is cached. Failed guesses slow down an address, so every request has a different
 * one, set by a trusted proxy.
 */
export async function measureKeyCheck(proof: Proof, caller: Caller, keys: readonly string[], rounds: number) {
  const hex = (): string => Math.floor(Math.random() * 0xffff).toString(16);
  const post = async (token: string | undefined, expected: number): Promise<number> => {
    const headers = [`X-Forwarded-For: 2001:db8:${hex()}:${hex()}::1`];
    if (token) headers.push(`Authorization: Bearer ${token}`);
    const { ms, status, body } = await caller.get(NO_ROUTE, headers, 'POST');
    if (status !== expected) throw new Error(`a key that should return ${expected}: ${status} ${body}`);
    return ms;
  };
  let used = 0;
  const nextKey = (): string => keys[used++ % keys.length] ?? '';
  const tasks: readonly Task[] = [
    { name: 'nothing to check', once: async () => (await caller.get('/healthz')).ms, sweeps: [] },
    { name: 'no key', once: () => post(undefined, 401), sweeps: [] },
    { name: 'a right key', once: () => post(nextKey(), 404), sweeps: [] },
    { name: 'a wrong key', once: () => post(newKey(), 401), sweeps: [] },
  ];
  const [unchecked, ...checked] = tasks as [Task, ...Task[]];
  const slowOnes = () => checked.filter((task) => p99(task) - p99(unchecked) >= CHECK_BOUND_MS);
  await sweep(tasks, rounds, CHECK_SWEEPS);
  for (let n = CHECK_SWEEPS; n < MOST_CHECK_SWEEPS && slowOnes().length > 0; n += 1) await sweep(tasks, rounds, 1);
  const slow = slowOnes();
  const detail = tasks.map(format).join(', ');
  proof.none(`the key check adds under ${CHECK_BOUND_MS} ms to a request (p99)`, slow.map(format), detail);
}

/** Returns a key that no server has issued. */
function newKey(): string {
  const letters = Array.from({ length: RANDOM_CHARACTERS }, () => pick(Math.random, [...BASE62]));
  return buildToken(KEY_PREFIX, letters.join(''));
}
