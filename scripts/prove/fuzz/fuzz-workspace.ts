import { pick, type Random } from '@hub/testkit';
import { addressOf } from './fuzz-public.ts';
import {
  type JsonLike,
  mutateBytes,
  mutateJson,
  type Operation,
  RawJson,
  schemaProblem,
  textOf,
} from './mutate-json.ts';
import { type FuzzedRequest, mutateRequest } from './mutate-request.ts';
import type { FuzzActor, FuzzSetup, Props } from './setup.ts';
import { type Outcomes, responseProblem, type Wire } from './wire.ts';

/** Operations that are slow by design: they hash a password or copy the database. */
const COSTLY = /^(POST .*\/(session|users|redemption|backups)|PUT .*\/password)$/;
const COSTLY_SHARE = 0.03;

interface WorkspaceFuzz {
  setup: FuzzSetup;
  operations: readonly Operation[];
  props: Props;
  wires: { readonly open: Wire; readonly local: Wire };
  outcomes: Outcomes;
}

/** Sends a mutated request to any operation of the workspace API, from any caller. */
export async function fuzzWorkspace(
  random: Random,
  index: number,
  { setup, operations, props, wires, outcomes }: WorkspaceFuzz,
): Promise<void> {
  const operation = pickOperation(random, operations);
  const actor = pick(random, setup.actors);
  const ids = await props.at(index);
  const good = goodRequest(random, operation, actor, ids);
  const request = random() < 0.5 ? mutateRequest(random, good) : good;
  const response = await (actor.isLocal ? wires.local : wires.open).send(request);
  outcomes.count(response.status);
  const problem = responseProblem(request, response) ?? doneProblem(operation, request, response.status);
  if (problem) outcomes.problem(index, `${actor.name}: ${problem}`, request);
  // An earlier, valid request has ended the session.
  if (response.status === 401 && request === good && actor.renew) await actor.renew();
}

function pickOperation(random: Random, operations: readonly Operation[]): Operation {
  for (;;) {
    const operation = pick(random, operations);
    if (!COSTLY.test(`${operation.method} ${operation.path}`) || random() < COSTLY_SHARE) return operation;
  }
}

function goodRequest(
  random: Random,
  { method, path, queries, bodies }: Operation,
  actor: FuzzActor,
  ids: Readonly<Record<string, string>>,
): FuzzedRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none');
  const query = queries
    .filter(() => random() < 0.3)
    .map(
      (name) =>
        `${name}=${encodeURIComponent(random() < 0.5 ? (ids[name] ?? '10') : pick(random, ['me', 'none', 'true', 'open', '2', 'release', '']))}`,
    );
  const example = bodies.length === 0 ? null : withIds(pick(random, bodies), ids);
  const choice = random();
  const body =
    example === null
      ? random() < 0.1
        ? Buffer.from('{"x":1}')
        : null
      : choice < 0.6
        ? Buffer.from(textOf(mutateJson(random, example)))
        : choice < 0.8
          ? mutateBytes(random, textOf(example))
          : Buffer.from(textOf(example));
  return {
    method,
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: [
      ...actor.headers,
      ...(body === null ? [] : [['content-type', 'application/json'] as const]),
      ['x-forwarded-for', addressOf(random)],
    ],
    body,
  };
}

/** Replaces IDs from the examples, which do not exist, with existing ones. */
function withIds(value: JsonLike, ids: Readonly<Record<string, string>>): JsonLike {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const one = ids[name] ?? (name === 'assigneeId' ? ids.userId : undefined);
      if (one !== undefined && typeof inner === 'string') return [name, one];
      return name === 'hubIds' ? [name, [ids.hubId ?? '']] : [name, withIds(inner, ids)];
    }),
  );
}

/** Returns the reason why a request must not succeed, if there is one. */
function doneProblem({ schema }: Operation, { method, path, body }: FuzzedRequest, status: number): string | null {
  if (status < 200 || status > 299 || schema === null || body === null) return null;
  if (!['POST', 'PUT', 'PATCH'].includes(method) || path.includes('/links/')) return null;
  if (body.length > 1024 * 1024) return `${status} to ${body.length} bytes`;
  const problem = body.length === 0 ? null : schemaProblem(schema, body);
  return problem ? `${status}, though ${problem}` : null;
}
