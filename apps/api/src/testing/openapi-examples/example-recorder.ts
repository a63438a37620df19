import { flushKeys } from '../../keys/flush-keys.ts';
import type { Example, OperationExamples } from '../../ops/openapi-examples.ts';
import { flushUsers } from '../../users/flush-users.ts';
import type { TestHub } from '../start-test-hub.ts';

/** One request in the scenario from which the examples are recorded. */
export interface Step {
  /** Values for the path parameters, such as `:hubId`. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
  /** Image bytes sent instead of a JSON body; no example shows them. */
  avatar?: Uint8Array<ArrayBuffer>;
  /** Distinguishes several examples of one operation; the default is `example`. */
  name?: string;
  /** A short description of the example. */
  summary?: string;
  /** Whether the request is only part of the scenario, and not an example. */
  isAside?: boolean;
  /** Fields of the response that depend on the machine or the release, with the values for the document. */
  instead?: Readonly<Record<string, unknown>>;
}

/** Sends the operation with this `operationId`, and records the request and the response. */
export type Ask = <T = { id: string }>(operationId: string, step?: Step) => Promise<T>;
type Send = (method: string, path: string, step: Pick<Step, 'body' | 'avatar'>) => Promise<Response>;

interface Route {
  method: string;
  path: string;
  /** The required query parameters. */
  required: readonly string[];
}

interface Recorded extends OperationExamples {
  parameters: Record<string, string | number>;
  request: Record<string, Example>;
  responses: Record<string, Record<string, Example>>;
}

const STEP_MS = 20_000;

/** Sends requests to a real server, and records requests and responses as examples for its OpenAPI document. */
export class ExampleRecorder {
  readonly examples: Record<string, Recorded> = {};
  readonly #hub: TestHub;
  readonly #routes: ReadonlyMap<string | undefined, Route>;

  constructor(hub: TestHub) {
    this.#hub = hub;
    this.#routes = new Map(hub.app.routes.map(describedRoute));
  }

  /** Returns a client that acts as the local admin, over the admin socket. */
  localAdmin(): Ask {
    return this.#asking((method, path, { body }) => this.#hub.admin.raw(method, path.replace('/api/v1', ''), body));
  }

  /** Returns a client that acts as a separate browser and keeps the latest cookie. */
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
      await this.#advance();
      const route = this.#routes.get(operationId);
      if (!route) throw new Error(`Unknown operation ${operationId}`);
      const response = await send(route.method, addressOf(route.path, step), step);
      const body = (await response.json()) as object;
      if (!response.ok) throw new Error(`${operationId}: ${response.status} ${JSON.stringify(body)}`);
      if (step.isAside) return body as T;
      const { parameters } = this.#keep(operationId, step, response.status, withInstead(body, step.instead));
      Object.assign(parameters, step.path, requiredOf(route, step.query));
      return body as T;
    };
  }

  /**
   * Advances the clock, and saves the times at which credentials were last used, as the server does every few seconds.
   */
  async #advance(): Promise<void> {
    this.#hub.clock.advance(STEP_MS);
    await flushKeys(this.#hub.deps);
    await flushUsers(this.#hub.deps);
  }

  #keep(operationId: string, step: Step, status: number, response: object): Recorded {
    const { name = 'example', summary = 'Example' } = step;
    this.examples[operationId] ??= { parameters: {}, request: {}, responses: {} };
    const kept = this.examples[operationId];
    const { request, responses } = kept;
    if (responses[status]?.[name]) throw new Error(`${operationId} already has an example ${name} of ${status}`);
    if (step.body !== undefined) request[name] = { summary, value: step.body };
    responses[status] = { ...responses[status], [name]: { summary, value: response } };
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
    if (part === undefined) throw new Error(`${path} requires ${name}`);
    return encodeURIComponent(part);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.append(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function withInstead(body: object, instead: Readonly<Record<string, unknown>> = {}): object {
  for (const name of Object.keys(instead)) if (!(name in body)) throw new Error(`The response has no ${name}`);
  return { ...body, ...instead };
}
