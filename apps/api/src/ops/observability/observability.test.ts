import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildToken, KEY_PREFIX, LINK_PREFIX, PERSONAL_TOKEN_PREFIX, SESSION_PREFIX } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { createdOf, publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { type LogLine, onlyOnSqlite, post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { spawnServer } from '@hub/testkit/server-process';
import { createApp } from '../../app.ts';
import { beginRequest, type Connection } from '../../http/request-context.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { Lifecycle } from '../lifecycle.ts';
import { createLog, LineWriter, type ProcessLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { observeRequests } from './observe-requests.ts';
import { processRoutes } from './process.routes.ts';

test('each batch is counted with its writes and flush time, and failed batches separately', async () => {
  const metrics = createMetrics({ version: '1.2.3' });
  metrics.batch({ writes: 12, commitMs: 0.4, failed: false });
  metrics.batch({ writes: 3, commitMs: 0, failed: true });
  const text = await metrics.render();
  expect(text).toContain('hub_commit_batches_total{result="committed"} 1');
  expect(text).toContain('hub_commit_batches_total{result="failed"} 1');
  expect(text).toContain('hub_commit_batch_writes_sum 15');
  expect(text).toContain('hub_commit_flush_seconds_count 1');
  expect(text).toContain('hub_commit_flush_seconds_bucket{le="0.0005"} 1');
});

test('the size of the files is read for each scrape, and is NaN while the database is away', async () => {
  const metrics = createMetrics({ version: '1.2.3' });
  const answers = [Promise.resolve(48_213), Promise.reject(new StoreUnavailable('away'))];
  metrics.watchFiles(() => answers.shift() as Promise<number>, 1_000_000);
  expect(await metrics.render()).toContain('hub_files_bytes 48213\n');
  const away = await metrics.render();
  expect(away).toContain('hub_files_bytes NaN\n');
  expect(away).toContain('hub_files_max_bytes 1000000\n');
});

const token = 'c2VjcmV0LXNlY3JldA==';

const hub = shared(startTestHub);

/** The app with the routes of the process. */
function startApp({ metricsToken = null as string | null, probe = () => Promise.resolve() } = {}) {
  const lifecycle = new Lifecycle();
  const metrics = createMetrics({ version: '1.2.3' });
  const app = createApp(hub.deps).use(processRoutes({ store: { probe }, lifecycle, metrics, metricsToken }));
  const get = (path: string, headers: Record<string, string> = {}, transport: Connection['transport'] = 'public') => {
    const request = new Request(`http://localhost${path}`, { headers });
    beginRequest(request, { transport, address: '192.0.2.1', origin: 'http://localhost', startedAt: 0 });
    return app.fetch(request);
  };
  return { lifecycle, get };
}

test('the admin socket always serves the metrics in the Prometheus text format', async () => {
  const response = await startApp().get('/metrics', {}, 'local');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
  expect(await response.text()).toContain(`hub_build_info{version="1.2.3",bun="${Bun.version}"} 1`);
});

test('the public listener serves the metrics with the token in the header; otherwise they are an unknown path', async () => {
  const { get } = startApp({ metricsToken: token });
  const outcomeOf = async (response: Response) =>
    response.status === 404 ? ((await response.json()) as { message: string }).message : response.status;
  const unknown = String(await outcomeOf(await get('/metricz'))).replace('metricz', 'metrics');
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    expect(await outcomeOf(await get('/metrics', { authorization: `${scheme} ${token}` }))).toBe(200);
  const wrong = [`Bearer ${token}x`, `Bearer ${token.slice(0, -3)}`, `Basic ${token}`, token];
  for (const headers of [
    ...wrong.map((authorization) => ({ authorization })),
    ...[{}, { cookie: `access_token=${token}` }],
  ] as Record<string, string>[])
    expect([headers, await outcomeOf(await get('/metrics', headers))]).toEqual([headers, unknown]);
  // In the query, logs would keep it.
  for (const headers of [{}, { authorization: 'Basic x' }] as Record<string, string>[])
    expect(await outcomeOf(await get(`/metrics?access_token=${token}`, headers))).toBe(unknown);
  expect(await outcomeOf(await startApp().get('/metrics', { authorization: 'Bearer ' }))).toBe(unknown);
});

onlyOnSqlite('PostgreSQL has backups of its own').test(
  'the metrics of backups are those of the last confirmed one, and failed ones are counted',
  async () => {
    await using own = await startTestHub();
    const { store, clock, admin } = own;
    /** Without the `# HELP` lines. */
    const backupLines = async () => {
      const metrics = createMetrics({ version: '0.0.0-test' });
      metrics.watchBackups(() => ({ history: store.backups.history(), now: clock.now() }));
      return (await metrics.render()).split('\n').filter((line) => line.startsWith('hub_backup'));
    };
    // Infinite without a backup, so that an alert on the age fires.
    expect(await backupLines()).toContain('hub_backup_age_seconds +Inf');
    const response = await admin.raw('POST', '/backups');
    const { length } = await response.bytes();
    clock.advance(1_500);
    await admin.raw('POST', `/backups/${response.headers.get('hub-backup-id')}/confirmation`);
    await (await store.backups.take('bak_1')).close('broken');
    clock.advance(3_600_000);
    expect(await backupLines()).toEqual([
      'hub_backup_age_seconds 3601.5',
      `hub_backup_bytes ${length}`,
      'hub_backup_duration_seconds 1.5',
      'hub_backups_total{result="confirmed"} 1',
      'hub_backups_total{result="broken"} 1',
    ]);
  },
);

describe('the metrics of the server', () => {
  const read = (path: string) => readFileSync(join(import.meta.dir, '../../../../..', path), 'utf8');
  /** Metric names, without the suffixes of the parts of histograms. */
  const namesIn = (text: string) =>
    new Set([...text.matchAll(/\bhub_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, '')));

  let names: string[];
  beforeAll(async () => {
    await using server = spawnServer();
    await server.serving();
    const text = await (await server.admin.fetch('/metrics')).text();
    names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  });

  test('are those in the alert rules and the dashboard, which shows each of them', () => {
    const own = new Set(names.filter((name) => name.startsWith('hub_')));
    // Nodes on PostgreSQL have more, which their own test compares with this page.
    const all = own.union(new Set(read('docs/postgresql.md').match(/(?<=^\| `)hub_\w+/gm)));
    const onDashboard = namesIn(read('ops/grafana/hub.json'));
    expect([...namesIn(read('ops/prometheus/alerts.yml')).difference(all)]).toEqual([]);
    expect([...own.difference(onDashboard), ...onDashboard.difference(all)]).toEqual([]);
  });

  test('are those in docs/operations.md', () => {
    const rows = read('docs/operations.md')
      .split('\n')
      .filter((line) => /^\| `(hub|process)_/.test(line));
    const documented = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)(?:\{[\w,]+\})?`/g)]);
    expect(documented.map(([, name = '']) => name).sort()).toEqual(names.toSorted());
  });
});

test('/healthz returns 200 while the process is alive; /readyz only while it serves and its store responds', async () => {
  let isAway = false;
  const { lifecycle, get } = startApp({
    probe: () => (isAway ? Promise.reject(new StoreUnavailable('')) : Promise.resolve()),
  });
  const readiness = async () => {
    const [alive, ready] = [await get('/healthz'), await get('/readyz')];
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'alive' }]);
    return [ready.status, await ready.json()];
  };
  const notReady = { statusCode: 503, message: 'The server is starting.', path: '/readyz' };
  expect(await readiness()).toMatchObject([503, notReady]);
  lifecycle.serve();
  expect(await readiness()).toEqual([200, { status: 'ready', writes: 'ok' }]);
  lifecycle.isCommitFailing = true;
  expect(await readiness()).toEqual([200, { status: 'ready', writes: 'failing' }]);
  isAway = true;
  expect(await readiness()).toMatchObject([503, { path: '/readyz' }]);
  lifecycle.stop();
  expect(await readiness()).toMatchObject([503, { ...notReady, message: 'The server is stopping.' }]);
});

const key = buildToken(KEY_PREFIX, 'Ab3'.repeat(12).slice(0, 34));
const personal = buildToken(PERSONAL_TOKEN_PREFIX, 'Zy9'.repeat(12).slice(0, 34));
const session = buildToken(SESSION_PREFIX, 'Xw8'.repeat(12).slice(0, 34));
const link = buildToken(LINK_PREFIX, 'Vu7'.repeat(12).slice(0, 34));

/** Returns what a log writes. */
function logged(write: (log: ProcessLog) => void, format: 'json' | 'text' = 'json'): string {
  const lines: string[] = [];
  const clock = { now: () => Date.parse('2026-03-01T09:30:00.000Z') };
  const stream = { write: (line: string) => lines.push(line) };
  write(createLog({ level: 'info', secrets: [token], clock, stream, format }));
  return lines.join('');
}

test('a record is one line of JSON with its level name and an ISO 8601 time', () => {
  const text = logged((log) => log.info({ requestId: 'req_1' }, 'request'));
  expect(text).toMatch(/^\{.*\}\n$/);
  const time = '2026-03-01T09:30:00.000Z';
  expect(JSON.parse(text)).toEqual({ level: 'info', time, requestId: 'req_1', msg: 'request' });
});

test.each([
  ['a message', {}, `refused ${key}`],
  ['a field', { authorization: `Bearer ${key}` }, ''],
  ['a nested field', { a: [{ b: { c: personal } }] }, ''],
  ['the name of a field', { [key]: 1 }, ''],
  ['an error and its stack', { err: new Error(`bad key ${key}`, { cause: new Error(personal) }) }, ''],
  ['the middle of other text', {}, `"${key}"\n\t${personal}${key}`],
  ['a percent-encoded path', { path: `/x/${key.replaceAll('_', '%5F')}/${personal.replaceAll('_', '%5f')}` }, ''],
  ['the path of a link that lost its #', { path: `/join/${link}` }, ''],
  ['a cookie', { cookie: `hub_session=${session}` }, ''],
  ['truncated form', {}, key.slice(0, -6)],
  ['a field and a message, if they are configured', { token }, token],
])('secrets are redacted in %s', (_, fields, message) => {
  const text = logged((log) => log.error(fields, message));
  for (const secret of [key, personal, session, link]) expect(text).not.toContain(secret.slice(-20));
  expect(text).not.toContain(key.slice(KEY_PREFIX.length, -6));
  expect(text).not.toContain(token);
  expect(text).toContain('[hidden]');
  expect(() => JSON.parse(text)).not.toThrow();
});

test('a record about an error has its name, message, stack, code and causes', () => {
  const cause = new RangeError('the cause');
  const err = Object.assign(new AggregateError([new Error('one of many')], 'the error', { cause }), { code: 'EX' });
  expect(JSON.parse(logged((log) => log.error({ err, requestId: 'req_1' }, 'failed')))).toMatchObject({
    requestId: 'req_1',
    err: {
      type: 'AggregateError',
      message: 'the error',
      stack: expect.stringContaining('observability.test.ts'),
      code: 'EX',
      cause: { type: 'RangeError', message: 'the cause' },
      errors: [{ message: 'one of many' }],
    },
  });
});

const request = { method: 'GET', path: '/api/v1/hubs', durationMs: 1.5, address: '::1', requestId: 'req_1' };

test.each<[fields: object, message: string, line: string]>([
  [{ address: '::1', userId: null, rows: 3, name: 'a b' }, 'Failed', 'Failed address=::1 rows=3 name="a b"'],
  [{ ...request, status: 200 }, 'request', 'GET /api/v1/hubs 200 1.5 ms'],
  [
    { ...request, status: 404, error: 'x' },
    'request',
    'GET /api/v1/hubs 404 1.5 ms error=x address=::1 requestId=req_1',
  ],
])(
  'a record as text is one line with the local time, the level, the message and its fields: %j',
  (fields, message, line) => {
    const localTime = /^2026-0\d-\d\d \d\d:30:00 /;
    const text = logged((log) => log.warn(fields, message), 'text');
    expect(text).toMatch(localTime);
    expect(text.replace(localTime, '')).toBe(`warn  ${line}\n`);
  },
);

const hostile = `\x1b[31m\x9b2J\r\n\u202e\x07${key} ${token}`;
test.each<[where: string, fields: object, message: string]>([
  ['a message', {}, hostile],
  ['a field', { hostile, nested: [hostile] }, 'm'],
  ['the name of a field', { [hostile]: 1 }, 'm'],
  ['a path', { ...request, path: hostile, status: 200 }, 'request'],
  ['an error', { err: new Error(hostile, { cause: hostile }) }, 'm'],
])(
  'a record as text has no character in %s that can control the terminal, and secrets are redacted',
  (where, fields, message) => {
    const text = logged((log) => log.error(fields, message), 'text');
    expect(text).toContain('[hidden]');
    for (const secret of [key.slice(-20), token]) expect(text).not.toContain(secret);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    if (where !== 'an error') expect(text.match(/\n/g)).toHaveLength(1);
  },
);

test('a write to a full pipe is retried, and what waits is bounded: dropped records are counted', async () => {
  const calls: { text: string; finish: (code?: string) => void }[] = [];
  const writer = new LineWriter({
    maxWaitingCharacters: 100,
    write: (bytes, done) => {
      const finish = (code?: string) =>
        code ? done(Object.assign(new Error(code), { code }), 0) : done(null, bytes.length);
      calls.push({ text: new TextDecoder().decode(bytes), finish });
    },
  });
  const next = async () => {
    while (calls.length === 0) await new Promise(setImmediate);
    return calls.shift() ?? { text: '', finish: () => {} };
  };
  writer.write('first\n');
  (await next()).finish('EAGAIN');
  const again = await next();
  expect(again.text).toBe('first\n');
  for (let n = 0; n < 1000; n += 1) writer.write('0123456789\n');
  again.finish();
  const second = await next();
  expect(second.text.length).toBeLessThan(250);
  const lastLine = second.text.trimEnd().split('\n').at(-1) ?? '';
  expect(JSON.parse(lastLine)).toMatchObject({ level: 'warn', droppedRecords: 990 });
  second.finish();
  writer.write('last\n');
  const last = await next();
  expect(last.text).toBe('last\n');
  last.finish();
  await writer.flush();
});

/** Starts to observe the real app. */
function startObserved() {
  const metrics = createMetrics({ version: '1.2.3' });
  const { app, clock } = hub;
  const lines: LogLine[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, message, fields });
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const observe = observeRequests({ routes: app.routes, metrics, log, clock });
  const ask = async (
    method: string,
    path: string,
    { key, body, transport = 'public' }: { key?: string; body?: object; transport?: Connection['transport'] } = {},
  ) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = body ? { headers, body: JSON.stringify(body) } : {};
    const request = new Request(`http://localhost${path}`, { method, ...init });
    const connection = { transport, address: '192.0.2.1', origin: 'http://localhost', startedAt: clock.monotonic() };
    const context = beginRequest(request, connection);
    clock.advance(7.126);
    const response = await app.fetch(request);
    observe(request, context, response);
    context.responded();
    return response;
  };
  return { metrics, lines, ask };
}

test('each request is logged with its identifiers and none of its content', async () => {
  const observed = startObserved();
  const { id: keyId, key, hubId } = await hub.admin.issueKey();
  using reader = await liveClient(hub);
  await reader.subscribe(hubId);
  const body = { text: 'private words' };
  const response = await observed.ask('POST', '/api/public/v1/messages?access_token=x', { key, body });
  const { data } = (await response.json()) as { data: { id: string } };
  const request = { method: 'POST', path: '/api/public/v1/messages', requestId: response.headers.get('x-request-id') };
  const ids = { address: '192.0.2.1', keyId, hubId, itemId: data.id, seq: 1 };
  const outcome = { status: 201, durationMs: 7.13, ...ids, liveViews: 1 };
  expect(observed.lines).toEqual([{ level: 'info', message: 'request', fields: { ...request, ...outcome } }]);
});

test('the metrics count requests by route, rejections by API and reason, and posts by kind', async () => {
  const observed = startObserved();
  const { totals } = hub.deps.store.workspace;
  hub.deps.store.workspace.totals = () => Promise.reject(new Error('a bug'));
  for (const path of ['/api/v1', '/api/v1/hubs/hub_1', '/nowhere']) await observed.ask('GET', path);
  await observed.ask('GET', '/api/v1/status', { transport: 'local' });
  hub.deps.store.workspace.totals = totals;
  const { key } = await hub.admin.issueKey({ scopes: ['messages:create', 'todos:create'] });
  const post = (kind: string, body: object) => observed.ask('POST', `/api/public/v1/${kind}`, { key, body });
  await post('notes', { content: 'no scope' });
  await post('todos', { title: 'a' });
  await post('relay/slack', { text: 'a' });
  for (let n = 0; n < 58; n += 1) await post('messages', { text: 'a' });
  const text = await observed.metrics.render();
  for (const line of [
    'hub_http_requests_total{method="GET",route="/api/v1",status="200"} 1',
    'hub_http_requests_total{method="GET",route="/api/v1/hubs/:hubId",status="401"} 1',
    'hub_http_request_duration_seconds_bucket{le="0.01",route="/api/v1"} 1',
    'hub_http_request_duration_seconds_bucket{le="0.005",route="/api/v1"} 0',
    'hub_rejections_total{api="workspace",status="401",reason="unauthenticated"} 1',
    'hub_rejections_total{api="other",status="404",reason="not_found"} 1',
    'hub_rejections_total{api="workspace",status="500",reason="internal"} 1',
    'hub_rejections_total{api="public",status="403",reason="forbidden"} 1',
    'hub_rejections_total{api="public",status="403",reason="rate_limited"} 1',
    'hub_posts_total{kind="message"} 58',
    'hub_posts_total{kind="todo"} 1',
  ])
    expect(text).toContain(line);
});

test('at level debug, a post can be followed from its request id to the clients that got it', async () => {
  const { hubId, keyId, key } = await publicCaller(hub);
  const reader = await liveClient(hub);
  await reader.subscribe(hubId);
  const response = await post(hub, 'messages', key, { text: 'private words' });
  const { id: itemId } = (await createdOf(response)).data;
  await reader.upTo(hubId, 1);
  reader.socket.close();
  /** Returns the records that contain these texts, as `grep` would. */
  const linesWith = (...texts: string[]) =>
    hub.logged.filter((line) => texts.every((text) => JSON.stringify(line).includes(text)));
  expect(linesWith(response.headers.get('x-request-id') ?? '')).toMatchObject([
    { message: 'Post accepted', level: 'debug', fields: { keyId, hubId, itemId } },
  ]);
  expect(linesWith('Event published', itemId)).toMatchObject([
    { level: 'debug', fields: { hubId, seq: 1, event: 'message.created', itemId, liveViews: 1 } },
  ]);
  const [view] = linesWith('Live connection subscribed', hubId).map(({ fields }) => fields as { requestId: string });
  expect(view).toMatchObject({ hubId, outcome: 'live' });
  const ofView = () => linesWith(view?.requestId ?? '').map(({ message }) => message);
  while (ofView().length < 3) await new Promise(setImmediate);
  const steps = ['opened', 'subscribed', 'closed'].map((step) => `Live connection ${step}`);
  expect(ofView()).toEqual(steps);
  for (const secret of [key, 'private words']) expect(linesWith(secret)).toEqual([]);
});
