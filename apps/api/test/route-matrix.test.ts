import { describe, expect, test } from 'bun:test';
import { buildToken, LINK_PATHS, PERSONAL_TOKEN_PREFIX, type Role, SESSION_PREFIX } from '@hub/contract';
import { operations } from '@hub/contract/operations/index';
import type { Access } from '@hub/contract/operations/operation';
import { PUBLIC_API_PATH, WORKSPACE_API_PATH } from '@hub/contract/paths';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, createUser, signedIn, signIn, tokenOf } from '@hub/testkit/in-process/users';
import { createApp } from '../src/app.ts';
import { RESPONSE_HEADERS } from '../src/http/response-headers.ts';
import { WEB_PATHS } from '../src/http/web/pages.routes.ts';
import { Lifecycle } from '../src/ops/lifecycle.ts';
import { createMetrics } from '../src/ops/observability/metrics.ts';
import { processRoutes } from '../src/ops/observability/process.routes.ts';

/** Pages that are the same for every user. */
const PAGES_FOR_BROWSERS: readonly string[] = [...WEB_PATHS, ...Object.values(LINK_PATHS)];
/** Public paths outside of the two APIs. Every other route must declare its access. */
const OPEN_DOCUMENTS = ['/offline', '/service-worker.js', '/app.webmanifest', '/api/docs', '/api/openapi.json', '/app'];
/** Operational endpoints with their own access rules, which have their own tests. */
const PROCESS_ROUTES = ['/healthz', '/readyz', '/metrics'];
const ACCESSES: readonly string[] = ['anyone', 'member', 'user', 'session', 'admin', 'owner'] satisfies Access[];

interface Route {
  method: string;
  path: string;
  access: Access | 'key' | undefined;
}

/** Returns every route that the process serves. */
async function allRoutes(): Promise<Route[]> {
  await using hub = await startTestHub();
  const metrics = createMetrics({ version: '0.0.0-test' });
  const ofProcess = processRoutes({ ...hub.deps, lifecycle: new Lifecycle(), metrics, metricsToken: null });
  const { routes } = createApp(hub.deps).use(ofProcess);
  // The files of the web app are served alike: one of them stands for all.
  const file = routes.find(({ path }) => path.startsWith('/app/'));
  return routes
    .filter((route) => !PROCESS_ROUTES.includes(route.path) && (route === file || !route.path.startsWith('/app/')))
    .map(({ method, path, hooks }) => ({ method, path, access: accessOf(path, hooks) }));
}

function accessOf(path: string, hooks: { detail?: object }): Route['access'] {
  if (path.startsWith(`${PUBLIC_API_PATH}/`)) return 'key';
  if (PAGES_FOR_BROWSERS.includes(path)) return 'anyone';
  if (OPEN_DOCUMENTS.some((open) => path === open || path.startsWith(`${open}/`))) return 'anyone';
  const declared = (hooks.detail as { 'x-access'?: Access } | undefined)?.['x-access'];
  return declared !== undefined && ACCESSES.includes(declared) ? declared : undefined;
}

/** Returns the result that the declared access requires for this credential: `in`, 401 or 403. */
function expected(access: Route['access'], { opens, isKey = false }: CredentialKind): 'in' | 401 | 403 {
  if (access === 'anyone') return 'in';
  if (access === 'key') return isKey ? 'in' : 401;
  if (opens === null) return 401;
  if (access === 'admin') return opens.role === 'member' ? 403 : 'in';
  if (access === 'owner') return opens.role === 'owner' || opens.by === 'local' ? 'in' : 403;
  if (access === 'user') return opens.by === 'local' ? 403 : 'in';
  if (access === 'session') return opens.by === 'session' ? 'in' : 403;
  return 'in';
}

const routes = await allRoutes();
const hub = shared(startTestHub);
const world = shared(() => credentialKinds(hub));
/** Sessions by role, until a request ends them. */
let sessions: Partial<Record<Role, Readonly<Record<string, string>>>> = {};
let lastAddress = 0;
/**
 * Sends a malformed body, which no check of a credential reads, from a new address, so that none is slowed by the
 * failures of another.
 */
async function ask({ method, path }: Omit<Route, 'access'>, kind: Omit<CredentialKind, 'name'>): Promise<Response> {
  const headers = await kind.headers();
  lastAddress += 1;
  hub.setClientAddress(`10.${lastAddress >> 16}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`);
  const init = {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: '{malformed' }),
  };
  return (kind.opens?.by === 'local' ? hub.admin : hub).fetch(path, init);
}

const filled = (path: string): string => path.replace(/:\w+/g, 'none_01KA3T8Q6V5M0G7ZB4W2N9RXEC');

describe('every route accepts only the credentials it is meant for, and sends the security headers', () => {
  test('each operation has a route, and each route declares its access', () => {
    expect(routes.filter(({ access }) => access === undefined)).toEqual([]);
    const served = new Set(routes.map(({ method, path }) => `${method} ${path}`));
    const declared = Object.keys(operations).map((operation) => {
      const [method, path = ''] = operation.replaceAll(/\{(\w+)\}/g, ':$1').split(' ');
      return `${method} ${WORKSPACE_API_PATH}${path === '/' ? '' : path}`;
    });
    expect(declared.filter((operation) => !served.has(operation))).toEqual([]);
    expect(routes.filter(({ access }) => access === 'key')).toHaveLength(7);
  });

  for (const { method, path, access } of routes) {
    test(`${method} ${path}, which is for ${access}`, async () => {
      const responses: string[] = [];
      for (const kind of world.kinds) {
        const { status, headers } = await ask({ method, path: filled(path) }, kind);
        expect(Object.keys(RESPONSE_HEADERS).filter((name) => !headers.has(name))).toEqual([]);
        const isRejected = status === 401 || status === 403 || status >= 500;
        responses.push(`${kind.name}: ${isRejected ? status : 'in'}`);
      }
      if (/\/(session|sign-out)$/.test(path)) sessions = {};
      expect(responses).toEqual(world.kinds.map((kind) => `${kind.name}: ${expected(access, kind)}`));
    });
  }

  test('an unsupported method of a workspace API path is as protected as the supported ones', async () => {
    const paths = new Set(routes.map(({ path }) => path).filter((path) => path.startsWith(WORKSPACE_API_PATH)));
    for (const path of paths) {
      const own = routes.filter((route) => route.path === path).map(({ method }) => method);
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !own.includes(method));
      for (const method of others) {
        const { status } = await ask({ method, path: filled(path) }, { opens: null, headers: () => ({}) });
        expect([method, path, status]).toEqual([method, path, 401]);
      }
    }
  });
});

/** A kind of credential, and what it gives access to. */
interface CredentialKind {
  name: string;
  /** `null` if it gives no access to the workspace API. */
  opens: null | { by: 'session' | 'token' | 'local'; role: Role | 'local' };
  isKey?: boolean;
  /** Returns the headers for one request. */
  headers: () => Record<string, string> | Promise<Record<string, string>>;
}

const FORGED = 'x'.repeat(34);
const MONTH_MS = 31 * 24 * 60 * 60 * 1000;

/** Returns every kind of credential, valid and invalid. */
async function credentialKinds(hub: TestHub) {
  const late = await signedIn(hub);
  const lateToken = await late.json<{ token: string }>('POST', '/me/tokens', { name: 'old', lifetimeSeconds: 60 });
  hub.clock.advance(MONTH_MS);

  const { key, hubId } = await hub.admin.issueKey();
  const [owner, admin] = [await createUser(hub, { role: 'owner' }), await createUser(hub, { role: 'admin' })];
  const users = { owner, admin, member: await createUser(hub) };
  await addMember(hub, hubId, users.member);
  const gone = await createUser(hub, { role: 'admin' });
  const [goneSession, goneToken] = [await signIn(hub, gone), await tokenOf(hub, gone)];
  await hub.admin.raw('POST', `/users/${gone.id}/deactivation`);
  const [revoked, ended] = [await tokenOf(hub, users.admin), await signIn(hub, users.admin)];
  const { body } = await ended.json<{ items: { id: string }[] }>('GET', '/me/tokens');
  for (const { id } of body.items) await ended.json('DELETE', `/me/tokens/${id}`);
  await ended.json('DELETE', '/session');

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const cookie = (token: string) => ({ cookie: `hub_session=${token}`, origin: hub.origin });
  const bad = (name: string, headers: Record<string, string>) => ({ name, opens: null, headers: () => headers });
  const session = (role: Role): CredentialKind => ({
    ...{ name: `session of ${role}`, opens: { by: 'session', role } },
    headers: async () => {
      sessions[role] ??= (await signIn(hub, users[role])).headers;
      return sessions[role];
    },
  });
  const token = async (role: Role): Promise<CredentialKind> => {
    const { headers } = await tokenOf(hub, users[role]);
    return { name: `token of ${role}`, opens: { by: 'token', role }, headers: () => headers };
  };
  const memberSession = await signIn(hub, users.member);
  const memberToken = await tokenOf(hub, users.member);

  const kinds: CredentialKind[] = [
    bad('none', {}),
    bad('malformed token', bearer('hub_pat_abc')),
    bad('another scheme', { authorization: `Basic ${btoa('ada:secret')}` }),
    bad('token that was never made', bearer(buildToken(PERSONAL_TOKEN_PREFIX, FORGED))),
    bad('cookie that was never made', cookie(buildToken(SESSION_PREFIX, FORGED))),
    { ...bad('Hub key', bearer(key)), isKey: true },
    bad('Hub key in the cookie', cookie(key)),
    bad('token in the cookie', cookie(memberToken.headers.authorization?.slice('Bearer '.length) ?? '')),
    bad('session in the header', bearer(memberSession.headers.cookie?.split('=')[1] ?? '')),
    bad('expired session', { ...late.headers }),
    bad('session that was signed out of', { ...ended.headers }),
    bad('expired token', bearer(lateToken.body.token)),
    bad('revoked token', { ...revoked.headers }),
    bad('session of a disabled admin', { ...goneSession.headers }),
    bad('token of a disabled admin', { ...goneToken.headers }),
    ...[session('member'), session('admin'), session('owner')],
    ...[await token('member'), await token('admin'), await token('owner')],
    { name: 'local socket', opens: { by: 'local', role: 'local' }, headers: () => ({}) },
  ];
  return { kinds, hubId };
}

test('HEAD works wherever GET does, with the same status and no body', async () => {
  for (const path of ['/api/v1', '/api/openapi.json', '/api/v1/hubs', '/nowhere']) {
    const [get, head] = [await hub.fetch(path), await hub.fetch(path, { method: 'HEAD' })];
    expect([path, head.status, await head.text()]).toEqual([path, get.status, '']);
  }
});

test('a wrong method returns 405, and Allow lists every method that the path supports', async () => {
  for (const [path, allow] of [
    ['/hubs', 'GET HEAD POST'],
    [`/hubs/${world.hubId}`, 'DELETE GET HEAD PATCH'],
    [`/hubs/${world.hubId}/restoration`, 'POST'],
  ] as const) {
    const { status, headers } = await hub.admin.raw('PUT', path);
    expect([status, headers.get('allow')?.split(', ').sort().join(' ')]).toEqual([405, allow]);
  }
});
