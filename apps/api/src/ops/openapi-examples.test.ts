import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type ErrorBody, RATE_LIMIT } from '@hub/contract';
import { StoreUnavailable } from '../errors.ts';
import { BODY_MS } from '../http/body-watch.ts';
import { jpegHead } from '../testing/avatars.ts';
import { rawHead, rawRequest } from '../testing/raw-request.ts';
import { settleDelayed } from '../testing/settle-delayed.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';
import { signedIn, tokenOf, trySignIn } from '../testing/users.ts';
import { errorExamples } from './openapi-error-examples.ts';
import { operationExamples } from './openapi-examples.ts';

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

const documentedResponse = (id: string) => operationExamples[id]?.responses[201]?.example?.value;

describe('an example request returns its example response', () => {
  for (const [id, kind] of [
    ['createMessage', 'messages'],
    ['createNote', 'notes'],
    ['createTodo', 'todos'],
  ] as const) {
    for (const [name, { value }] of Object.entries(operationExamples[id]?.request ?? {})) {
      test(`${id}: ${name}`, async () => {
        const response = await post(kind, value);
        expect(response.status).toBe(201);
        expect(shape(await response.json())).toEqual(shape(documentedResponse(id)));
      });
    }
  }
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
  const sent = rawRequest(hub.url, rawHead(...head, 'Content-Type: application/json'));
  await hub.clock.untilSleeping();
  hub.clock.advance(BODY_MS + 1_000);
  const { status, text } = await sent;
  return new Response(text, { status });
}

/** The requests that cause each example error, by the name of the response and of the example. */
const provocations: Record<string, () => Promise<Response>> = {
  'KeyRefused missing': () => hub.fetch('/api/public/v1/messages', { method: 'POST', headers: json }),
  'KeyRefused invalid': async () => {
    const revoked = await hub.admin.issueKey({ hubId });
    await hub.admin.revokeKey(revoked.id);
    return post('messages', {}, {}, revoked.key);
  },
  'KeyForbidden blocked': async () => {
    const busy = await keyFor();
    for (let sent = 0; sent < RATE_LIMIT.requests; sent += 1) await post('messages', {}, {}, busy);
    return post('messages', {}, {}, busy);
  },
  'KeyForbidden scope': async () => post('todos', {}, {}, await keyFor({ scopes: ['messages:create'] })),
  'KeyWithoutHub deleted': async () => {
    const { id } = await hub.admin.createHub();
    const orphan = await hub.admin.issueKey({ hubId: id });
    await hub.admin.deleteHub(id);
    return post('messages', {}, {}, orphan.key);
  },
  'PostOnly get': () => hub.fetch('/api/public/v1/messages', { headers: { authorization: `Bearer ${key}` } }),
  'PostTooLarge large': () => post('messages', large),
  'PostTooSlow slow': () => tooSlow('/api/public/v1/messages', `Bearer ${key}`),
  'PostNotJson form': () => post('messages', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
  'PostInvalid field': () => post('todos', { title: 'Renew', dueDte: '2026-03-14T17:00:00Z' }),
  'PostInvalid limit': () => post('todos', { title: 'x'.repeat(256) }),
  'PostInvalid block': () => post('messages', { blocks: [{ type: 'header', data: { text: 'A', level: 7 } }] }),
  'PostFailed problem': () => whileStoreFails(failing, () => post('messages', { text: 'Hello' })),
  'PostUnavailable disk': () => whileStoreFails(diskFull(), () => post('messages', { text: 'Hello' })),
  'Invalid limit': () => hub.admin.raw('GET', '/hubs?limit=0'),
  'NotSignedIn nobody': () => hub.fetch('/api/v1/hubs'),
  'NotSignedIn password': () => {
    const body = JSON.stringify({ email: 'ada@example.org', password: 'a wrong one' });
    return hub.fetch('/api/v1/session', { method: 'POST', headers: json, body });
  },
  'TooManyRequests password': async () => {
    const guess = { email: 'bob@example.org', password: 'a wrong one' };
    for (let n = 0; n < 20; n += 1) await settleDelayed(hub.clock, trySignIn(hub, guess));
    return hub.fetch('/api/v1/session', { method: 'POST', headers: json, body: JSON.stringify(guess) });
  },
  'NotAllowed role': async () => (await signedIn(hub)).fetch('/api/v1/audit'),
  'NotAllowed origin': async () => {
    const { cookie = '' } = (await signedIn(hub)).headers;
    return hub.fetch('/api/v1/me', { method: 'PATCH', headers: { cookie } });
  },
  'NotFound hub': () => hub.admin.raw('GET', '/hubs/hub_0'),
  'WrongMethod put': () => hub.admin.raw('PUT', '/hubs'),
  'Conflict rotated': async () => {
    const { id } = await hub.admin.issueKey({ hubId });
    await hub.admin.rotateKey(id);
    return hub.admin.raw('POST', `/keys/${id}/rotation`, {});
  },
  'TooLarge large': () => hub.admin.raw('POST', '/hubs', large.slice(1, -1)),
  'TooSlow slow': async () => {
    const { headers } = await tokenOf(hub, (await signedIn(hub, { role: 'admin' })).user);
    return tooSlow('/api/v1/hubs', headers.authorization ?? '');
  },
  'NotJson missing': () =>
    fetch('http://localhost/api/v1/hubs', { unix: hub.socketPath, method: 'POST', body: new Uint8Array([123, 125]) }),
  'PictureTooLarge large': () => putAvatar(new Uint8Array(262_145)),
  'NotPicture other': () => putAvatar(jpegHead({ width: 8, height: 8 })),
  'NoWebSocket plain': () => hub.admin.raw('GET', '/live'),
  'TooManyRequests rate': async () => {
    const ada = await signedIn(hub);
    for (let n = 0; n < 1_200; n += 1) {
      await ada.fetch('/api/v1/me');
      hub.clock.advance(40);
    }
    return ada.fetch('/api/v1/hubs');
  },
  'TooManyRequests tests': async () => {
    const ada = await signedIn(hub);
    for (let n = 0; n < 5; n += 1) {
      await ada.fetch('/api/v1/me/notices/test', { method: 'POST' });
      hub.clock.advance(1_000);
    }
    return ada.fetch('/api/v1/me/notices/test', { method: 'POST' });
  },
  'Failed problem': () => whileStoreFails(failing, () => hub.admin.raw('GET', '/hubs')),
  'Unavailable disk': () => whileStoreFails(diskFull(), () => hub.admin.raw('GET', '/hubs')),
};

async function putAvatar(body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const ada = await signedIn(hub);
  return ada.fetch('/api/v1/me/picture', { method: 'PUT', headers: { 'content-type': 'image/png' }, body });
}

describe('an example error is what the server returns', () => {
  for (const [name, examples] of Object.entries(errorExamples)) {
    for (const [which, { value }] of Object.entries(examples)) {
      test(`${name}: ${which}`, async () => {
        const response = await provocations[`${name} ${which}`]?.();
        const body = withoutIds((await response?.json()) as ErrorBody);
        const { timestamp, ...expected } = withoutIds(value as ErrorBody);
        expect(response?.status).toBe(expected.statusCode);
        expect(body).toEqual({ ...expected, timestamp: expect.stringMatching(/Z$/) });
        expect(timestamp).toEndWith('Z');
      });
    }
  }
});

function withoutIds(body: ErrorBody): ErrorBody {
  return JSON.parse(JSON.stringify(body).replace(/\bkey_[0-9A-Z]{26}\b/g, 'key_ID'));
}
