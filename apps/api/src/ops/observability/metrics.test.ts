import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shared } from '@hub/testkit/in-process/shared';
import { onlyOnSqlite, startTestHub } from '@hub/testkit/in-process/test-hub';
import { spawnServer } from '@hub/testkit/server-process';
import { createApp } from '../../app.ts';
import { beginRequest, type Connection } from '../../http/request-context.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { Lifecycle } from '../lifecycle.ts';
import { createMetrics } from './metrics.ts';
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
