import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shared } from '@hub/testkit/in-process/shared';
import { onlyOnSqlite, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { spawnServer } from '@hub/testkit/server-process';
import { createApp } from '../../app.ts';
import { beginRequest, type Connection } from '../../http/request-context.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { Lifecycle } from '../lifecycle.ts';
import { createMetrics } from './metrics.ts';
import { healthRoutes, metricsRoutes } from './process.routes.ts';

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
const ask = (
  token: string | null,
  transport: Connection['transport'],
  path: string,
  headers: Record<string, string> = {},
) => {
  const app = createApp(hub.deps).use(
    metricsRoutes({ metrics: createMetrics({ version: '1.2.3' }), metricsToken: token }),
  );
  const request = new Request(`http://localhost${path}`, { headers });
  beginRequest(request, { transport, address: '192.0.2.1', origin: 'http://localhost', startedAt: 0 });
  return app.fetch(request);
};

test('the admin socket always serves the metrics in the Prometheus text format', async () => {
  const response = await ask(null, 'local', '/metrics');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
  expect(await response.text()).toContain(`hub_build_info{version="1.2.3",bun="${Bun.version}"} 1`);
});

test('the public listener serves the metrics with the token in the header; otherwise they are an unknown path', async () => {
  const statusOf = async (configured: string | null, headers: Record<string, string>, query = '') => {
    const response = await ask(configured, 'public', `/metrics${query}`, headers);
    if (response.status === 404) expect(((await response.json()) as { message: string }).message).toBe(unknown);
    return response.status;
  };
  const nothing = await ask(token, 'public', '/metricz');
  const unknown = ((await nothing.json()) as { message: string }).message.replace('metricz', 'metrics');
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    expect(await statusOf(token, { authorization: `${scheme} ${token}` })).toBe(200);
  }
  expect(await statusOf(null, { authorization: 'Bearer ' })).toBe(404);
  for (const headers of [
    {},
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${token.slice(0, -3)}` },
    { cookie: `access_token=${token}` },
    { authorization: `Basic ${token}` },
    { authorization: token },
  ] as Record<string, string>[])
    expect([headers, await statusOf(token, headers)]).toEqual([headers, 404]);
  // In the query, logs would keep it.
  for (const headers of [{}, { authorization: 'Basic x' }] as Record<string, string>[]) {
    expect(await statusOf(token, headers, `?access_token=${token}`)).toBe(404);
  }
});

describe('backups', () => {
  const { test } = onlyOnSqlite('PostgreSQL has backups of its own');

  /** Returns the lines of the backup metrics, without the `# HELP` lines. */
  async function metricsOf({ store, clock }: TestHub): Promise<string[]> {
    const metrics = createMetrics({ version: '0.0.0-test' });
    metrics.watchBackups(() => ({ history: store.backups.history(), now: clock.now() }));
    return (await metrics.render()).split('\n').filter((line) => line.startsWith('hub_backup'));
  }

  test('age, size and duration are those of the last confirmed backup, and failed backups are counted', async () => {
    await using hub = await startTestHub();
    // Infinite without a backup, so that an alert on the age fires.
    expect(await metricsOf(hub)).toContain('hub_backup_age_seconds +Inf');
    const response = await hub.admin.raw('POST', '/backups');
    const { length } = await response.bytes();
    hub.clock.advance(1_500);
    await hub.admin.raw('POST', `/backups/${response.headers.get('hub-backup-id')}/confirmation`);
    await (await hub.store.backups.take('bak_1')).close('broken');
    hub.clock.advance(3_600_000);
    expect(await metricsOf(hub)).toEqual([
      'hub_backup_age_seconds 3601.5',
      `hub_backup_bytes ${length}`,
      'hub_backup_duration_seconds 1.5',
      'hub_backups_total{result="confirmed"} 1',
      'hub_backups_total{result="broken"} 1',
    ]);
  });
});

describe('the metrics of the server', () => {
  const read = (path: string) => readFileSync(join(import.meta.dir, '../../../../..', path), 'utf8');
  /** Metric names, without the suffixes of the parts of histograms. */
  const namesIn = (text: string) =>
    new Set([...text.matchAll(/\bhub_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, '')));

  let names: string[];
  beforeAll(async () => {
    await using server = spawnServer();
    await server.serving();
    const text = await (await fetch('http://localhost/metrics', { unix: server.adminSocket })).text();
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

describe('GET /healthz and /readyz', () => {
  function startHealth(probe = () => Promise.resolve()) {
    const lifecycle = new Lifecycle();
    const app = createApp(hub.deps).use(healthRoutes({ store: { probe }, lifecycle }));
    const get = async (path: string) => {
      const request = new Request(`http://localhost${path}`);
      beginRequest(request, { transport: 'public', address: '192.0.2.1', origin: 'http://localhost', startedAt: 0 });
      const response = await app.fetch(request);
      return { status: response.status, body: await response.json() };
    };
    return { lifecycle, get };
  }

  test('/healthz returns 200 while the process is alive, even while it is starting or stopping or its store is failing', async () => {
    const { lifecycle, get } = startHealth(() => Promise.reject(new StoreUnavailable(new Error())));
    for (const act of [() => {}, () => lifecycle.serve(), () => lifecycle.stop()]) {
      act();
      expect(await get('/healthz')).toEqual({ status: 200, body: { status: 'alive' } });
    }
  });

  test('/readyz returns 503 until the server is ready, then 200, and 503 once it stops', async () => {
    const { lifecycle, get } = startHealth();
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      body: { statusCode: 503, message: 'The server is starting.', path: '/readyz' },
    });
    lifecycle.serve();
    expect(await get('/readyz')).toEqual({ status: 200, body: { status: 'ready', writes: 'ok' } });
    lifecycle.isCommitFailing = true;
    expect(await get('/readyz')).toEqual({ status: 200, body: { status: 'ready', writes: 'failing' } });
    lifecycle.stop();
    expect(await get('/readyz')).toMatchObject({ status: 503, body: { message: 'The server is stopping.' } });
  });

  test('/readyz returns 503 while the store does not respond', async () => {
    let isFailing = true;
    const { lifecycle, get } = startHealth(async () => {
      if (isFailing) throw new StoreUnavailable('');
    });
    lifecycle.serve();
    expect((await get('/readyz')).status).toBe(503);
    isFailing = false;
    expect((await get('/readyz')).status).toBe(200);
  });
});
