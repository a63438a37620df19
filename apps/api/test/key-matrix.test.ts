import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ALL_SCOPES, type IssuedKey, type Scope } from '@hub/contract';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

const BODIES = {
  messages: { text: 'hello' },
  notes: { content: 'hello' },
  todos: { title: 'hello' },
  'relay/slack': { text: 'hello' },
  'relay/alertmanager': { alerts: [{ status: 'firing' }] },
  'relay/grafana': { title: 'hello' },
} as const;
type Endpoint = keyof typeof BODIES;
const ENDPOINTS = Object.keys(BODIES) as Endpoint[];

const STATES = [
  'active',
  'rotated',
  'overlap over',
  'replaced',
  'revoked',
  'expired',
  'blocked',
  'blocked and revoked',
] as const;
type State = (typeof STATES)[number];
const HUB_STATES = ['live', 'deleted', 'restored'] as const;
type HubState = (typeof HUB_STATES)[number];

/** Returns what the order of checks in product.md, section 1, requires for a valid request. */
function expected(state: State, hasScope: boolean, hubState: HubState): string {
  if (['overlap over', 'replaced', 'revoked', 'expired', 'blocked and revoked'].includes(state)) return '401';
  if (state === 'blocked') return '403 with Retry-After';
  if (!hasScope) return '403';
  return hubState === 'deleted' ? '404' : '201';
}

/** The relay creates messages. */
function scopeOf(endpoint: Endpoint): Scope {
  return endpoint.startsWith('relay/') ? 'messages:create' : (`${endpoint}:create` as Scope);
}

/** Brings a key into a state. The clock is advanced once for all keys. */
const PREPARE: Record<State, (hub: TestHub, key: IssuedKey) => Promise<unknown>> = {
  active: async () => {},
  rotated: (hub, key) => hub.admin.rotateKey(key.id),
  'overlap over': (hub, key) => hub.admin.rotateKey(key.id),
  replaced: (hub, key) => hub.admin.replaceKey(key.id),
  revoked: (hub, key) => hub.admin.revokeKey(key.id),
  expired: async () => {},
  blocked: (hub, key) => block(hub, key),
  'blocked and revoked': async (hub, key) => {
    await block(hub, key);
    await hub.admin.revokeKey(key.id);
  },
};

function block(hub: TestHub, { key }: IssuedKey): Promise<Response[]> {
  const request = () => hub.fetch('/api/public/v1/messages', { headers: { authorization: `Bearer ${key}` } });
  return Promise.all(Array.from({ length: 61 }, request));
}

interface Case {
  state: State;
  hubState: HubState;
  scopes: Scope[];
  endpoint: Endpoint;
}
const SCOPE_SETS = [[...ALL_SCOPES], ...ALL_SCOPES.map((scope) => [scope])];
const CASES: Case[] = STATES.flatMap((state) =>
  HUB_STATES.flatMap((hubState) =>
    SCOPE_SETS.flatMap((scopes) => ENDPOINTS.map((endpoint) => ({ state, hubState, scopes, endpoint }))),
  ),
);
const nameOf = ({ state, hubState, scopes, endpoint }: Case) =>
  `${state}, ${hubState}, ${scopes.join(' ')}, ${endpoint}`;

describe('the state of a key × its scopes × the endpoint × the state of its Hub', () => {
  let hub: TestHub;
  const responses = new Map<string, string>();

  beforeAll(async () => {
    hub = await startTestHub();
    const hubs = { live: '', deleted: '', restored: '' };
    for (const hubState of HUB_STATES) hubs[hubState] = (await hub.admin.createHub(hubState)).id;
    const keys: { key: IssuedKey; state: State; hubState: HubState; scopes: Scope[] }[] = [];
    for (const state of STATES) {
      // Advancing the clock by a day, which ends the overlaps, also lets these keys expire.
      const lifetime = state === 'expired' ? { lifetimeSeconds: 60 } : {};
      for (const hubState of HUB_STATES) {
        for (const scopes of SCOPE_SETS) {
          keys.push({
            key: await hub.admin.issueKey({ hubId: hubs[hubState], scopes, ...lifetime }),
            state,
            hubState,
            scopes,
          });
        }
      }
    }
    const prepare = async (...states: State[]) => {
      await Promise.all(
        keys.filter(({ state }) => states.includes(state)).map(({ state, key }) => PREPARE[state](hub, key)),
      );
    };
    await prepare('overlap over');
    hub.clock.advance(86_400_000);
    await prepare('active', 'rotated', 'replaced', 'revoked', 'expired', 'blocked', 'blocked and revoked');
    await hub.admin.deleteHub(hubs.deleted);
    await hub.admin.deleteHub(hubs.restored);
    await hub.admin.restoreHub(hubs.restored);

    const ask = async (one: (typeof keys)[number], endpoint: Endpoint) => {
      const response = await post(hub, endpoint, one.key.key, BODIES[endpoint]);
      const retry = response.headers.get('retry-after') === null ? '' : ' with Retry-After';
      responses.set(nameOf({ ...one, endpoint }), `${response.status}${retry}`);
    };
    // One after the other for each key: payloads of one key wait for each other, and the clock is advanced meanwhile.
    const askAll = async (one: (typeof keys)[number]) => {
      for (const endpoint of ENDPOINTS) await ask(one, endpoint);
    };
    await settleDelayed(hub.clock, Promise.all(keys.map(askAll)));
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test(`has ${CASES.length} combinations`, () => {
    expect(responses.size).toBe(CASES.length);
  });

  for (const state of STATES) {
    test(`${state}: every combination returns what the order of checks says`, () => {
      const cases = CASES.filter((one) => one.state === state);
      const wanted = cases.map((one) => {
        const hasScope = one.scopes.includes(scopeOf(one.endpoint));
        return `${nameOf(one)}: ${expected(one.state, hasScope, one.hubState)}`;
      });
      expect(cases.map((one) => `${nameOf(one)}: ${responses.get(nameOf(one))}`)).toEqual(wanted);
    });
  }
});
