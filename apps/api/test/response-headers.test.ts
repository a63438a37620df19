import { expect, test } from 'bun:test';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';
import { createApp } from '../src/app.ts';
import { beginRequest } from '../src/http/request-context.ts';
import { PAGE_HEADERS } from '../src/http/response-headers.ts';
import { Lifecycle } from '../src/ops/lifecycle.ts';
import { createMetrics } from '../src/ops/observability/metrics.ts';
import { processRoutes } from '../src/ops/observability/process.routes.ts';

/**
 * The kinds of responses, which need different headers (OWASP ASVS 5.0, V3.2 to V3.5 and V4.1): `data` is for programs,
 * users open a `page`, and pages load a `file`.
 */
type Kind = 'data' | 'page' | 'file';

const hub = shared(startTestHub);
const caller = shared(() => publicCaller(hub));
const ada = shared(() => memberOf(hub, caller.hubId, { name: 'Ada' }));
const HTML = { accept: 'text/html' };

/** Requests one of the routes that main.ts adds. */
async function ofProcess(path: string): Promise<Response> {
  const request = new Request(`http://localhost${path}`);
  beginRequest(request, { transport: 'local', address: 'local', origin: 'http://localhost', startedAt: 0 });
  const [lifecycle, metrics] = [new Lifecycle(), createMetrics({ version: '1.2.3' })];
  lifecycle.serve();
  return createApp(hub.deps)
    .use(processRoutes({ ...hub.deps, lifecycle, metrics, metricsToken: null }))
    .fetch(request);
}

const RESPONSES: [name: string, kind: Kind, status: number, type: string, ask: () => Promise<Response>][] = [
  ['a post', 'data', 201, 'application/json', () => caller.post('messages', { text: 'x' })],
  ['a refused post', 'data', 400, 'application/json', () => caller.post('messages', {})],
  ['a list', 'data', 200, 'application/json', () => ada.fetch(`/api/v1/hubs/${caller.hubId}/messages`)],
  ['an export', 'data', 200, 'application/json', () => ada.fetch(`/api/v1/hubs/${caller.hubId}/export`)],
  ['a live view that is none', 'data', 426, 'application/json', () => ada.fetch('/api/v1/live')],
  ['an unknown path of the API', 'data', 404, 'application/json', () => hub.fetch('/api/x', { headers: HTML })],
  ['a wrong method', 'data', 405, 'application/json', () => hub.fetch('/setup', { method: 'POST' })],
  ['the same for a browser', 'page', 404, 'text/html', () => hub.fetch('/x', { headers: HTML })],
  ['the OpenAPI document', 'file', 200, 'application/json', () => hub.fetch('/api/openapi.json')],
  ['the page of the API', 'page', 200, 'text/html', () => hub.fetch('/api/docs')],
  ['that page, unchanged', 'page', 304, 'text/html', () => unchanged('/api/docs')],
  ['a style of that page', 'file', 200, 'text/css', () => hub.fetch('/api/docs/page.css')],
  ['a script of that page', 'file', 200, 'text/javascript', () => hub.fetch('/api/docs/page.js')],
  ['whether it lives', 'data', 200, 'application/json', () => ofProcess('/healthz')],
  ['the metrics', 'data', 200, 'text/plain', () => ofProcess('/metrics')],
  ['a fault of the program', 'data', 500, 'application/json', () => problem()],
];

async function unchanged(path: string): Promise<Response> {
  const etag = (await hub.fetch(path)).headers.get('etag') ?? '';
  return hub.fetch(path, { headers: { 'if-none-match': etag } });
}

async function problem(): Promise<Response> {
  const { store } = hub.deps;
  const { posts } = store;
  Object.assign(store, { posts: { write: () => Promise.reject(new Error('a bug')) } });
  try {
    return await caller.post('messages', { text: 'x' });
  } finally {
    Object.assign(store, { posts });
  }
}

test.each(RESPONSES)(
  '%s has its type, cannot be framed, runs only its own code, and is not cached unless it is the same for everyone',
  async (_, kind, status, type, ask) => {
    const { status: actual, headers } = await ask();
    const contentType = headers.get('content-type') ?? '';
    expect([actual, contentType.split(';')[0]]).toEqual([status, type]);
    // JSON is UTF-8 by definition (RFC 8259, section 8.1).
    if (type !== 'application/json') expect(contentType).toEndWith('; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toMatch(/^req_/);

    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toStartWith("default-src 'none'; ");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    for (const name of headers.keys()) expect(name).not.toStartWith('access-control-');
    if (kind === 'data') expect(policy).toEndWith('; sandbox');
    // A page sends no referrer, and no other window can keep a reference to it.
    if (kind === 'page') expect(Object.fromEntries(headers)).toMatchObject(PAGE_HEADERS);

    const cached = headers.get('cache-control');
    if (kind === 'data' || status >= 400) expect(cached).toBe('no-store');
    else expect(cached).toMatch(/^(no-cache|public, max-age=31536000, immutable)$/);
  },
);
