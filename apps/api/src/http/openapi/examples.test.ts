import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  Created,
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageBody,
  CreateNoteBody,
  CreateTodoBody,
  type ErrorBody,
  RATE_LIMIT,
} from '@hub/contract';
import { rawHead, sendOnce } from '@hub/testkit/http';
import { jpegHead } from '@hub/testkit/in-process/images';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn, tokenOf } from '@hub/testkit/in-process/users';
import { StoreUnavailable } from '../../platform/errors.ts';
import { BODY_MS } from '../body-watch.ts';
import type { ErrorName } from './errors.ts';
import { errorExamples } from './errors.ts';
import { exampleOf, examplesOf } from './examples.ts';
import type { Schema } from './schemas.ts';

let problem: Error | null = null;
let hub: TestHub;
let hubId: string;
let key: string;
beforeAll(async () => {
  hub = await startTestHub({
    baseUrl: 'https://hub.example.org',
    wrapStore: (store) =>
      new Proxy(store, {
        get(target, name: keyof typeof store) {
          if (problem && (name === 'posts' || name === 'hubs')) throw problem;
          return target[name];
        },
      }),
  });
  hubId = (await hub.admin.createHub('Releases')).id;
  ({ key } = await hub.admin.issueKey({ hubId }));
});
afterAll(() => hub[Symbol.asyncDispose]());

const json = { 'content-type': 'application/json' };

function post(kind: string, body: unknown, headers: Record<string, string> = {}, withKey = key): Promise<Response> {
  return hub.fetch(`/api/public/v1/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${withKey}`, ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function keyFor(input: { scopes?: ['messages:create'] } = {}): Promise<string> {
  const { id } = await hub.admin.createHub();
  return (await hub.admin.issueKey({ hubId: id, ...input })).key;
}

async function whileStoreFails(error: Error, ask: () => Promise<Response>): Promise<Response> {
  problem = error;
  const response = await ask();
  problem = null;
  return response;
}

/** Returns the names of all fields at any depth, with the kind of each value. */
function shape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]));
}

describe('an example request returns its example response', () => {
  test.each([
    ['messages', CreateMessageBody, CreatedMessage],
    ['notes', CreateNoteBody, CreatedNote],
    ['todos', CreateTodoBody, CreatedTodo],
  ])('%s', async (kind, body, created) => {
    const expected = shape(exampleOf(Created(created) as Schema));
    for (const example of examplesOf(body as Schema)) {
      const response = await post(kind, example);
      expect(response.status).toBe(201);
      expect(shape(await response.json())).toEqual(expected);
    }
  });
});

const large = `"${'x'.repeat(1024 * 1024 - 1)}"`;
const failing = new Error('a fault of the test');
const diskFull = () => new StoreUnavailable(failing);

/** Sends a request that announces a body and never sends it. */
async function tooSlow(path: string, authorization: string): Promise<Response> {
  const head = [`POST ${path} HTTP/1.1`, 'Host: hub', `Authorization: ${authorization}`, 'Content-Length: 9'];
  // Nothing else may be waiting for the clock, or it would advance before the headers have arrived.
  hub.clock.advance(BODY_MS);
  await hub.fetch('/healthz');
  const sent = sendOnce(hub.url, rawHead(...head, 'Content-Type: application/json'));
  await hub.clock.untilSleeping();
  hub.clock.advance(BODY_MS + 1_000);
  const { status, body } = await sent;
  return new Response(body, { status });
}

/** The requests that cause the example errors, in the same order. */
const provocations: Record<ErrorName, (() => Promise<Response>)[]> = {
  KeyRefused: [
    () => hub.fetch('/api/public/v1/todos', { method: 'POST', headers: json }),
    async () => {
      const revoked = await hub.admin.issueKey({ hubId });
      await hub.admin.revokeKey(revoked.id);
      return post('todos', {}, {}, revoked.key);
    },
  ],
  KeyForbidden: [
    async () => {
      const busy = await keyFor();
      for (let sent = 0; sent < RATE_LIMIT.requests; sent += 1) await post('todos', {}, {}, busy);
      return post('todos', {}, {}, busy);
    },
    async () => post('todos', {}, {}, await keyFor({ scopes: ['messages:create'] })),
  ],
  KeyWithoutHub: [
    async () => {
      const { id } = await hub.admin.createHub();
      const orphan = await hub.admin.issueKey({ hubId: id });
      await hub.admin.deleteHub(id);
      return post('todos', {}, {}, orphan.key);
    },
  ],
  PostOnly: [() => hub.fetch('/api/public/v1/todos', { headers: { authorization: `Bearer ${key}` } })],
  PostTooLarge: [() => post('todos', large)],
  PostTooSlow: [() => tooSlow('/api/public/v1/todos', `Bearer ${key}`)],
  PostNotJson: [() => post('todos', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })],
  PostInvalid: [
    () => post('todos', { title: 'Renew', dueDte: '2026-03-14T17:00:00Z' }),
    () => post('todos', { title: 'x'.repeat(256) }),
  ],
  PostFailed: [() => whileStoreFails(failing, () => post('todos', { title: 'Renew' }))],
  PostUnavailable: [() => whileStoreFails(diskFull(), () => post('todos', { title: 'Renew' }))],
  Invalid: [() => hub.admin.raw('GET', '/hubs?limit=0')],
  NotSignedIn: [() => hub.fetch('/api/v1/hubs')],
  NotAllowed: [
    async () => (await signedIn(hub)).fetch('/api/v1/hubs', { method: 'POST', body: '{}' }),
    async () => {
      const { cookie = '' } = (await signedIn(hub)).headers;
      return hub.fetch('/api/v1/hubs', { method: 'POST', headers: { cookie } });
    },
  ],
  NotFound: [() => hub.admin.raw('GET', '/hubs/hub_0')],
  WrongMethod: [() => hub.admin.raw('PUT', '/hubs')],
  Conflict: [
    async () => {
      const { id } = await hub.admin.issueKey({ hubId });
      await hub.admin.rotateKey(id);
      return hub.admin.raw('POST', `/keys/${id}/rotation`, {});
    },
  ],
  TooLarge: [() => hub.admin.raw('POST', '/hubs', large.slice(1, -1))],
  TooSlow: [
    async () => {
      const { headers } = await tokenOf(hub, (await signedIn(hub, { role: 'admin' })).user);
      return tooSlow('/api/v1/hubs', headers.authorization ?? '');
    },
  ],
  NotJson: [
    () =>
      fetch('http://localhost/api/v1/hubs', { unix: hub.socketPath, method: 'POST', body: new Uint8Array([123, 125]) }),
  ],
  AvatarTooLarge: [() => putAvatar(new Uint8Array(262_145))],
  NotAnImage: [() => putAvatar(jpegHead({ width: 8, height: 8 }))],
  NoWebSocket: [() => hub.admin.raw('GET', '/live')],
  TooManyRequests: [
    async () => {
      const ada = await signedIn(hub);
      for (let n = 0; n < 1_200; n += 1) {
        await ada.fetch('/api/v1/me');
        hub.clock.advance(40);
      }
      return ada.fetch('/api/v1/hubs');
    },
  ],
  Failed: [() => whileStoreFails(failing, () => hub.admin.raw('GET', '/hubs'))],
  Unavailable: [() => whileStoreFails(diskFull(), () => hub.admin.raw('GET', '/hubs'))],
};

async function putAvatar(body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const ada = await signedIn(hub);
  return ada.fetch('/api/v1/me/avatar', { method: 'PUT', headers: { 'content-type': 'image/png' }, body });
}

describe('an example error is what the server returns', () => {
  test.each(Object.entries(errorExamples))('%s', async (name, examples) => {
    for (const [index, example] of examples.entries()) {
      const response = await provocations[name as ErrorName][index]?.();
      const { timestamp, ...expected } = withoutIds(example);
      expect(response?.status).toBe(expected.statusCode);
      expect(withoutIds((await response?.json()) as ErrorBody)).toEqual({
        ...expected,
        timestamp: expect.stringMatching(/Z$/),
      });
      expect(timestamp).toEndWith('Z');
    }
  });
});

function withoutIds(body: ErrorBody): ErrorBody {
  return JSON.parse(JSON.stringify(body).replace(/\bkey_[0-9A-Z]{26}\b/g, 'key_ID'));
}
