import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { type PublicRequest, publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

type Step = '401' | '403 block' | '404 path' | '405' | '403 scope' | '404 Hub' | '413' | '415' | '400' | '201';
/** The order of checks in product.md, section 1. An unknown path has no methods, so 404 comes before 405. */
const ORDER: Step[] = ['401', '403 block', '404 path', '405', '403 scope', '404 Hub', '413', '415', '400', '201'];

const huge = new Uint8Array(LIMITS.bodyBytes + 1).fill(97);
const path = '/api/public/v1/messages';
const notJson = 'text/plain';
const form = 'application/x-www-form-urlencoded';
const badJson = new TextEncoder().encode('{"text": ');

/** Requests, and the checks that each of them fails. */
const REQUESTS: Record<string, { path?: string; fails: Step[]; send: PublicRequest }> = {
  'a good request': { fails: [], send: { body: { text: 'x' } } },
  'an unknown path': { path: `${path}/x`, fails: ['404 path'], send: { body: { text: 'x' } } },
  'the path of the API itself': { path: '/api/public/v1', fails: ['404 path'], send: { body: { text: 'x' } } },
  'a trailing slash': { path: `${path}/`, fails: ['404 path'], send: { body: { text: 'x' } } },
  'an encoded path': { path: '/api/public/v1/%6dessages', fails: ['404 path'], send: { body: { text: 'x' } } },
  'GET of an unknown path': { path: `${path}/x`, fails: ['404 path'], send: { method: 'GET' } },
  GET: { fails: ['405'], send: { method: 'GET' } },
  HEAD: { fails: ['405'], send: { method: 'HEAD' } },
  OPTIONS: { fails: ['405'], send: { method: 'OPTIONS' } },
  DELETE: { fails: ['405'], send: { method: 'DELETE' } },
  'PUT of a body that is too large and not JSON': {
    fails: ['405', '413', '415'],
    send: { method: 'PUT', contentType: notJson, body: huge },
  },
  'too large': { fails: ['413', '400'], send: { body: huge } },
  'too large and not JSON': { fails: ['413', '415', '400'], send: { contentType: notJson, body: huge } },
  'an unknown path, too large and not JSON': {
    path: `${path}/x`,
    fails: ['404 path', '413', '415'],
    send: { contentType: notJson, body: huge },
  },
  'a type other than JSON': { fails: ['415'], send: { contentType: notJson, body: { text: 'x' } } },
  'a type other than JSON and malformed': { fails: ['415', '400'], send: { contentType: notJson, body: badJson } },
  'no type and no body': { fails: ['415', '400'], send: { contentType: null } },
  'malformed JSON': { fails: ['400'], send: { body: badJson } },
  'an unknown field': { fails: ['400'], send: { body: { txt: 'x' } } },
  'no required fields': { fails: ['400'], send: { body: {} } },
  ...relayRequests(),
};

/** The relay makes the same checks, except that it accepts any JSON, and that of Slack also as a form. */
function relayRequests(): Record<string, { path: string; fails: Step[]; send: PublicRequest }> {
  const requests = ['slack', 'alertmanager', 'grafana'].flatMap((sender) => {
    const path = `/api/public/v1/relay/${sender}`;
    return [
      [`${sender}: unknown fields`, { path, fails: [], send: { body: { txt: 'x' } } }],
      [`${sender}: GET`, { path, fails: ['405'], send: { method: 'GET' } }],
      [
        `${sender}: too large and not JSON`,
        { path, fails: ['413', '415', '400'], send: { contentType: notJson, body: huge } },
      ],
      [
        `${sender}: a form`,
        {
          path,
          fails: sender === 'slack' ? (['400'] as const) : (['415', '400'] as const),
          send: { contentType: form, body: badJson },
        },
      ],
      [`${sender}: malformed JSON`, { path, fails: ['400'], send: { body: badJson } }],
    ] as const;
  });
  return Object.fromEntries(requests.map(([name, { path, fails, send }]) => [name, { path, fails: [...fails], send }]));
}

describe('the order of checks', () => {
  let hub: TestHub;
  let callers: Record<string, { fails: Step[]; authorization: string | null }>;
  let address = 0;

  beforeAll(async () => {
    hub = await startTestHub();
    const issue = async (input = {}) => {
      const caller = await publicCaller(hub, input);
      return { ...caller, authorization: `Bearer ${caller.key}` };
    };
    const block = async (keyId: string) => {
      for (let request = 0; request <= 60; request += 1) await hub.deps.limiter.admit(keyId);
    };
    const scopes = ['notes:create' as const];

    const [good, expired, revoked, blocked] = [
      await issue(),
      await issue({ lifetimeSeconds: 60 }),
      await issue(),
      await issue(),
    ];
    const [wrongScope, deletedHub] = [await issue({ scopes }), await issue()];
    const [blockedAndAll, scopeAndHub, revokedAndBlocked] = [
      await issue({ scopes }),
      await issue({ scopes }),
      await issue(),
    ];
    hub.clock.advance(60_000);
    await hub.admin.revokeKey(revoked.keyId);
    await hub.admin.revokeKey(revokedAndBlocked.keyId);
    for (const caller of [deletedHub, blockedAndAll, scopeAndHub]) await hub.admin.deleteHub(caller.hubId);
    for (const caller of [blocked, blockedAndAll, revokedAndBlocked]) await block(caller.keyId);

    callers = {
      'no key': { fails: ['401'], authorization: null },
      'a malformed key': { fails: ['401'], authorization: 'Bearer hub_live_short' },
      'another scheme': { fails: ['401'], authorization: `Basic ${good.key}` },
      'an unknown key': { fails: ['401'], authorization: 'Bearer hub_live_0000000000000000000000000000000000xxxxxx' },
      'an expired key': { fails: ['401'], authorization: expired.authorization },
      'a revoked key': { fails: ['401'], authorization: revoked.authorization },
      'a revoked and blocked key': { fails: ['401', '403 block'], authorization: revokedAndBlocked.authorization },
      'a blocked key': { fails: ['403 block'], authorization: blocked.authorization },
      'a blocked key without scope of a deleted Hub': {
        fails: ['403 block', '403 scope', '404 Hub'],
        authorization: blockedAndAll.authorization,
      },
      'a key without the scope': { fails: ['403 scope'], authorization: wrongScope.authorization },
      'a key without the scope of a deleted Hub': {
        fails: ['403 scope', '404 Hub'],
        authorization: scopeAndHub.authorization,
      },
      'a key of a deleted Hub': { fails: ['404 Hub'], authorization: deletedHub.authorization },
      'a good key': { fails: [], authorization: good.authorization },
    };
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  for (const [requestName, request] of Object.entries(REQUESTS)) {
    test(`${requestName}: the first failing check decides, for every kind of key`, async () => {
      const caller = await publicCaller(hub);
      for (const [callerName, { fails, authorization }] of Object.entries(callers)) {
        const expected = ORDER.find((step) => fails.includes(step) || request.fails.includes(step)) ?? '201';
        // Each request has its own address, so that none is delayed because another failed.
        address += 1;
        hub.setClientAddress(`10.0.${address >> 8}.${address & 255}`);
        const response = await caller.request(request.path ?? path, { ...request.send, authorization });
        expect(`${callerName}: ${await stepOf(response)}`).toBe(`${callerName}: ${expected}`);
      }
    });
  }

  /** Returns the check that failed, based only on the response, from which callers can tell which one it was. */
  async function stepOf(response: Response): Promise<string> {
    const { status, headers } = response;
    const text = await response.text();
    const message = text === '' ? '' : (JSON.parse(text).message ?? '');
    expect(headers.has('www-authenticate')).toBe(status === 401);
    if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    if (status === 403) return headers.has('retry-after') ? '403 block' : '403 scope';
    expect(headers.has('retry-after')).toBe(false);
    if (status === 404) return message.includes('Hub') ? '404 Hub' : '404 path';
    return String(status);
  }
});
