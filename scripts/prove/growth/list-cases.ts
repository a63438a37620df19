import { type Connection, openConnection, rawHead } from '@hub/testkit';
import { cursorAtTime } from '../../../apps/api/src/platform/ids.ts';
import type { SeededData } from './seed.ts';
import { FREQUENT, hashOf } from './seed-users.ts';

interface Timed {
  readonly ms: number;
  readonly status: number;
  readonly body: string;
}

/** A caller that sends requests one after another over a keep-alive connection, and times complete responses. */
export class Caller {
  readonly #port: number;
  #connection: Connection | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  get(path: string, token?: string): Promise<Timed> {
    return this.send('GET', path, token === undefined ? {} : { authorization: `Bearer ${token}` });
  }

  async send(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Timed> {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost'];
    for (const [name, value] of Object.entries(headers)) head.push(`${name}: ${value}`);
    // The server closes idle connections after a while.
    this.#connection ??= await openConnection(this.#port);
    const start = performance.now();
    const response = await this.#connection.send(rawHead(...head));
    return { ms: performance.now() - start, ...response };
  }

  /** Disconnects before a pause that is long enough for the server to close the connection. */
  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** The accepted values, if there is a fixed set. */
  readonly values?: readonly string[];
}

interface Route {
  readonly path: string;
  readonly query: readonly Parameter[];
}

interface Schema {
  $ref?: string;
  properties?: Record<string, { type?: string }>;
  enum?: string[];
  const?: string;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, { get?: Operation }>;
}

/** Returns the GET routes that return a list, which is an object whose `items` is an array. */
function listRoutes(document: unknown): Route[] {
  const { paths } = document as Document;
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const schema = get?.responses['200']?.content?.['application/json']?.schema;
    if (!get || !schema || resolved(document, schema).properties?.items?.type !== 'array') return [];
    const query = (get.parameters ?? []).filter((parameter) => parameter.in === 'query');
    return [{ path, query: query.map((parameter) => readParameter(document, parameter)) }];
  });
}

function readParameter(
  document: unknown,
  { name, required = false, schema }: { name: string; required?: boolean; schema: Schema },
): Parameter {
  const { enum: several, const: one } = resolved(document, schema);
  const values = several ?? (one === undefined ? undefined : [one]);
  return { name, required, ...(values ? { values } : {}) };
}

/** Resolves a reference to a schema. */
function resolved(document: unknown, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  let found: unknown = document;
  for (const step of schema.$ref.split('/').slice(1)) found = (found as Record<string, unknown>)[step];
  return resolved(document, found as Schema);
}

export interface ListCase {
  readonly route: string;
  /** Names the caller and the list in error messages. */
  readonly name: string;
  readonly token: string;
  /** The list's first page, one in the middle and the last one, or its only page. */
  readonly pages: readonly string[];
}

/** Parameters that select a page rather than filter the list. */
const PAGE_PARAMETERS = new Set(['limit', 'before', 'after']);
const LIMIT = 100;

interface Page {
  items: unknown[];
  next?: string | null;
}

/**
 * Returns every list of the workspace API in the OpenAPI document, with each value of each filter, for a member of many
 * Hubs and for an admin who is a member of all. New lists and filters are included automatically; unknown parameters
 * cause an error.
 */
export async function listCases(caller: Caller, document: unknown, fixture: SeededData): Promise<ListCase[]> {
  const cases: ListCase[] = [];
  const { ada, admin } = fixture.users;
  for (const route of listRoutes(document)) {
    for (const [who, { token }] of Object.entries({ member: ada, admin })) {
      for (const [path, filter] of waysToAsk(route, fixture)) {
        const pages = await pagesOf(caller, { path, route, filter, token, fixture });
        if (pages) cases.push({ route: route.path, name: `${who} ${filter}`.trim(), token, pages });
      }
    }
  }
  return cases;
}

/** Returns undefined if the caller cannot read this list. */
async function pagesOf(
  caller: Caller,
  {
    path,
    route,
    filter,
    token,
    fixture,
  }: { path: string; route: Route; filter: string; token: string; fixture: SeededData },
): Promise<string[] | undefined> {
  const names = new Set(route.query.map(({ name }) => name));
  const query = (...more: string[]): string =>
    [filter, ...(names.has('limit') ? [`limit=${LIMIT}`] : []), ...more].filter(Boolean).join('&');
  const read = async (...more: string[]): Promise<Page | undefined> => {
    const { status, body } = await caller.get(`${path}?${query(...more)}`, token);
    if (status === 403) return undefined;
    if (status !== 200) throw new Error(`${path}?${query(...more)}: ${status} ${body}`);
    return JSON.parse(body) as Page;
  };
  const first = await read();
  if (!first) return undefined;
  const pages = [query()];
  if (first.next) {
    const prefix = first.next.slice(0, first.next.indexOf('_'));
    const cursor = (time: number): string => cursorAtTime(time, 'after').replace(/^item/, prefix);
    const { weekAgo, from, until } = fixture.span;
    pages.push(query(`before=${cursor(weekAgo)}`));
    const items = async (time: number): Promise<number | null> => {
      const page = await read(`before=${cursor(time)}`);
      return page?.next === null ? page.items.length : null;
    };
    pages.push(query(`before=${cursor(await timeOfLastPage(from, until, items))}`));
    if (names.has('after')) pages.push(query(`after=${cursor(weekAgo)}`));
  }
  return pages.map((each) => `${path}?${each}`);
}

/**
 * Finds a time such that the page before it is the last one and, if possible, more than half full. `lastItems` returns
 * the number of items on the page before a time, or null if that page is not the last one.
 */
async function timeOfLastPage(
  from: number,
  until: number,
  lastItems: (time: number) => Promise<number | null>,
): Promise<number> {
  let [low, high] = [from, until];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = await lastItems(middle);
    if (found === null) high = middle;
    else low = middle;
    if (found !== null && found > LIMIT / 2) break;
  }
  return low;
}

/** Combines the path of the first object with every filter, and the paths of the others with none. */
function waysToAsk(route: Route, fixture: SeededData): [path: string, filter: string][] {
  const name = /\{(\w+)\}/.exec(route.path)?.[1];
  const paths =
    name === undefined ? [route.path] : valuesFor(name, fixture).map((id) => route.path.replace(`{${name}}`, id));
  if (paths.length === 0) throw new Error(`This proof has no value for ${name} in ${route.path}`);
  const filters = filtersOf(route, fixture);
  return paths.flatMap((path, index) =>
    (index === 0 ? filters : filters.slice(0, 1)).map((filter) => [path, filter] as [string, string]),
  );
}

/** Returns the required parameters on their own and combined with each value of each filter. */
function filtersOf({ path, query }: Route, fixture: SeededData): string[] {
  const needed = query.filter(({ required }) => required);
  const base = needed.map(({ name }) => `${name}=${encodeURIComponent(valuesFor(name, fixture)[0] ?? '')}`).join('&');
  const optional = query.filter(({ name, required }) => !required && !PAGE_PARAMETERS.has(name));
  const values = (parameter: Parameter): readonly string[] => {
    const known = parameter.values ?? valuesFor(parameter.name, fixture);
    if (known.length === 0) throw new Error(`This proof has no value for the parameter ${parameter.name} of ${path}`);
    return known;
  };
  const each = optional.flatMap((parameter) => values(parameter).map((value) => `${parameter.name}=${value}`));
  return [base, ...each.map((filter) => [base, filter].filter(Boolean).join('&'))];
}

/** Values for free-text parameters, starting with the one that has the most matches. */
function valuesFor(name: string, { hubIds, items, keys, users }: SeededData): readonly string[] {
  const [frequent, rare] = [keys[0]?.id ?? '', keys.findLast(({ hubId }) => hubId === hubIds[0])?.id ?? ''];
  const values: Record<string, readonly string[]> = {
    // The largest Hub, and one with long notes.
    hubId: [hubIds[0] ?? '', hubIds[2] ?? ''],
    messageId: [items.largestThread],
    keyId: [frequent, rare],
    userId: [users.ada.id, users.admin.id],
    authorId: ['me', users.others[0]?.id ?? '', users.admin.id],
    actorId: [users.admin.id, users.ada.id],
    assigneeId: ['me', 'none', users.others[0]?.id ?? ''],
    targetId: [frequent],
    issuerId: [users.admin.id],
    from: ['2000-01-01T00:00:00Z'],
    to: ['2100-01-01T00:00:00Z'],
    usageDays: ['90'],
    days: ['90'],
    q: [FREQUENT.tenth],
    sha256: [Buffer.from(hashOf(keys[0]?.token ?? '')).toString('hex')],
  };
  return values[name] ?? [];
}
