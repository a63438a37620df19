import { writeDownKeys } from '../../keys/flush-keys.ts';
import type { Example, OperationExamples } from '../../ops/openapi-examples.ts';
import { writeDownUsers } from '../../users/flush-users.ts';
import type { TestHub } from '../start-test-hub.ts';

/** One request of the story that the examples tell. */
export interface Step {
  /** What stands in the path for `:hubId` and the like. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
  /** In place of a body: bytes, which no example shows. */
  avatar?: Uint8Array<ArrayBuffer>;
  /** Tells apart several examples of one operation; `example` if there is one alone. */
  name?: string;
  /** The same in words. */
  summary?: string;
  /** Belongs to the story, but is no example. */
  isAside?: boolean;
  /** Fields of the answer that depend on the machine or the release, as the document shows them. */
  instead?: Readonly<Record<string, unknown>>;
}

/** Performs the operation with this `operationId`, and keeps what was sent and answered. */
export type Ask = <T = { id: string }>(operationId: string, step?: Step) => Promise<T>;
type Send = (method: string, path: string, step: Pick<Step, 'body' | 'avatar'>) => Promise<Response>;

interface Route {
  method: string;
  path: string;
  /** The query that it cannot do without. */
  required: readonly string[];
}

interface Recorded extends OperationExamples {
  parameters: Record<string, string | number>;
  request: Record<string, Example>;
  answers: Record<string, Record<string, Example>>;
}

const STEP_MS = 20_000;

/** Asks a real server, and keeps requests and answers as examples of its OpenAPI document. */
export class ExampleRecorder {
  readonly examples: Record<string, Recorded> = {};
  readonly #hub: TestHub;
  readonly #routes: ReadonlyMap<string | undefined, Route>;

  constructor(hub: TestHub) {
    this.#hub = hub;
    this.#routes = new Map(hub.app.routes.map(describedRoute));
  }

  /** The local admin, over the socket in the data folder. */
  localAdmin(): Ask {
    return this.#asking((method, path, { body }) => this.#hub.admin.raw(method, path.replace('/api/v1', ''), body));
  }

  /** A browser of its own, which keeps the cookie that it was given last. */
  browser(userAgent: string): Ask {
    let cookie: string | undefined;
    return this.#asking(async (method, path, { body, avatar }) => {
      const response = await this.#hub.fetch(path, {
        method,
        headers: {
          origin: this.#hub.origin,
          'user-agent': userAgent,
          'content-type': avatar ? 'image/png' : 'application/json',
          ...(cookie === undefined ? {} : { cookie }),
        },
        ...(avatar ? { body: avatar } : body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return response;
    });
  }

  #asking(send: Send): Ask {
    return async <T>(operationId: string, step: Step = {}) => {
      await this.#goOn();
      const route = this.#routes.get(operationId);
      if (!route) throw new Error(`There is no operation ${operationId}`);
      const response = await send(route.method, addressOf(route.path, step), step);
      const body = (await response.json()) as object;
      if (!response.ok) throw new Error(`${operationId}: ${response.status} ${JSON.stringify(body)}`);
      if (step.isAside) return body as T;
      const { parameters } = this.#keep(operationId, step, response.status, withInstead(body, step.instead));
      Object.assign(parameters, step.path, requiredOf(route, step.query));
      return body as T;
    };
  }

  /** Time passes, and the server writes down who was there, as it does every few seconds. */
  async #goOn(): Promise<void> {
    this.#hub.clock.advance(STEP_MS);
    await writeDownKeys(this.#hub.deps);
    await writeDownUsers(this.#hub.deps);
  }

  #keep(operationId: string, step: Step, status: number, response: object): Recorded {
    const { name = 'example', summary = 'Example' } = step;
    this.examples[operationId] ??= { parameters: {}, request: {}, answers: {} };
    const kept = this.examples[operationId];
    const { request, answers } = kept;
    if (answers[status]?.[name]) throw new Error(`${operationId} has an example ${name} of ${status} already`);
    if (step.body !== undefined) request[name] = { summary, value: step.body };
    answers[status] = { ...answers[status], [name]: { summary, value: response } };
    return kept;
  }
}

function describedRoute({ method, path, hooks }: TestHub['app']['routes'][number]): [string | undefined, Route] {
  const parameters: readonly object[] = hooks.detail?.parameters ?? [];
  const required = parameters.flatMap((each) =>
    'in' in each && each.in === 'query' && 'required' in each && each.required && 'name' in each
      ? [`${each.name}`]
      : [],
  );
  return [hooks.detail?.operationId, { method, path, required }];
}

function requiredOf({ required }: Route, query: Step['query'] = {}): object {
  return Object.fromEntries(Object.entries(query).filter(([name]) => required.includes(name)));
}

function addressOf(path: string, { path: parts = {}, query = {} }: Step): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(part);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.append(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function withInstead(body: object, instead: Readonly<Record<string, unknown>> = {}): object {
  for (const name of Object.keys(instead)) if (!(name in body)) throw new Error(`The answer has no ${name}`);
  return { ...body, ...instead };
}
