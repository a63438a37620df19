import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlyOnSqlite, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { type ServerProcess, spawnServer } from '@hub/testkit/server-process';
import { createApp } from '../../app.ts';
import { beginRequest, type Connection } from '../../http/request-context.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { Lifecycle } from '../lifecycle.ts';
import { createMetrics } from './metrics.ts';
import { healthRoutes, metricsRoutes } from './process.routes.ts';

/** A series in the Prometheus text format. */
interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A selector in an expression: a metric name with matchers for its labels. */
interface Selector {
  readonly name: string;
  readonly matchers: readonly { label: string; operator: string; value: string }[];
}

/** Labels that Prometheus itself adds to every target. */
const SCRAPE_LABELS: readonly string[] = ['instance', 'job'];

const LABELS = /([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g;
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
/** Does not match the `e9` of `800e9`. */
const SELECTOR = /(?<![\w.])([a-zA-Z_:][\w:]*)\s*(\{(?:"(?:[^"\\]|\\.)*"|[^}"])*\})?\s*(\()?/g;
const OPERATORS = new Set(['and', 'or', 'unless', 'bool', 'offset']);

/** Returns the series in a response from /metrics. */
function seriesIn(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = ''] = /^([\w:]+)(?:\{(.*)\})? /.exec(line) ?? [];
      return { name, labels: Object.fromEntries(matchersIn(labels).map(({ label, value }) => [label, value])) };
    });
}

/** Returns the selectors of an expression, and the labels by which it groups. */
function readExpression(expression: string): { selectors: Selector[]; groupedBy: string[] } {
  const groupedBy = [...expression.matchAll(GROUPING)].flatMap(([, names = '']) => names.split(',')).map(trimmed);
  const rest = expression.replace(GROUPING, ' ').replace(/\[[^\]]*\]/g, ' ');
  const selectors = [...rest.matchAll(SELECTOR)]
    .filter(([, name = '', , call]) => call === undefined && !OPERATORS.has(name))
    .map(([, name = '', labels = '']) => ({ name, matchers: matchersIn(labels) }));
  return { selectors, groupedBy: groupedBy.filter((name) => name !== '') };
}

/** Whether a selector matches this series. Scrape labels and dashboard variables match any value. */
function matchesSeries({ name, matchers }: Selector, series: Series): boolean {
  if (name !== series.name) return false;
  return matchers
    .filter(({ label, value }) => !SCRAPE_LABELS.includes(label) && !value.startsWith('$'))
    .every(({ label, operator, value }) => {
      const actual = series.labels[label] ?? '';
      const fits = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
      return operator.startsWith('!') ? !fits : fits;
    });
}

function matchersIn(text: string): Selector['matchers'] {
  return [...text.matchAll(LABELS)].map(([, label = '', operator = '', value = '']) => ({ label, operator, value }));
}

function trimmed(text: string): string {
  return text.trim();
}

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

const token = 'c2VjcmV0LXNlY3JldA==';

async function startMetrics(metricsToken: string | null) {
  const hub = await startTestHub();
  const app = createApp(hub.deps).use(metricsRoutes({ metrics: createMetrics({ version: '1.2.3' }), metricsToken }));
  return {
    ask: (transport: Connection['transport'], path: string, headers: Record<string, string> = {}) => {
      const request = new Request(`http://localhost${path}`, { headers });
      beginRequest(request, { transport, address: '192.0.2.1', origin: 'http://localhost', startedAt: 0 });
      return app.fetch(request);
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

test('the admin socket always serves the metrics in the Prometheus text format', async () => {
  await using hub = await startMetrics(null);
  const response = await hub.ask('local', '/metrics');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
  expect(await response.text()).toContain(`hub_build_info{version="1.2.3",bun="${Bun.version}"} 1`);
});

test('the public listener serves the metrics with the token in the header, whatever the case of the scheme', async () => {
  await using hub = await startMetrics(token);
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    expect((await hub.ask('public', '/metrics', { authorization: `${scheme} ${token}` })).status).toBe(200);
  }
});

describe('the public listener returns 404 for the metrics', () => {
  const cases: [string, string | null, string, Record<string, string>][] = [
    ['if no token is configured', null, '/metrics', {}],
    ['if no token is configured and an empty one is sent', null, '/metrics', { authorization: 'Bearer ' }],
    ['without a token', token, '/metrics', {}],
    ['to a wrong token', token, '/metrics', { authorization: `Bearer ${token}x` }],
    ['to the start of the token', token, '/metrics', { authorization: `Bearer ${token.slice(0, -3)}` }],
    ['to the token in the query, where logs would keep it', token, `/metrics?access_token=${token}`, {}],
    ['to it in the query beside another scheme', token, `/metrics?access_token=${token}`, { authorization: 'Basic x' }],
    ['to it in a cookie', token, '/metrics', { cookie: `access_token=${token}` }],
    ['to it under another scheme', token, '/metrics', { authorization: `Basic ${token}` }],
    ['to it without a scheme', token, '/metrics', { authorization: token }],
  ];
  test.each(cases)('%s', async (_, configured, path, headers) => {
    await using hub = await startMetrics(configured);
    const response = await hub.ask('public', path, headers);
    expect(response.status).toBe(404);
    const body = (await response.json()) as { message: string };
    const nothing = (await (await hub.ask('public', '/metricz')).json()) as { message: string };
    expect(body.message).toBe(nothing.message.replace('metricz', 'metrics'));
  });
});

describe('backups', () => {
  const { test } = onlyOnSqlite('PostgreSQL has backups of its own');

  /** Returns the lines of the backup metrics, without the `# HELP` lines. */
  async function metricsOf({ store, clock }: TestHub): Promise<string[]> {
    const metrics = createMetrics({ version: '0.0.0-test' });
    metrics.watchBackups(() => ({ history: store.backups.history(), now: clock.now() }));
    return (await metrics.render()).split('\n').filter((line) => line.startsWith('hub_backup'));
  }

  test('the backup age is infinite without a backup, so that an alert on the age fires', async () => {
    await using hub = await startTestHub();
    expect(await metricsOf(hub)).toEqual([
      'hub_backup_age_seconds +Inf',
      'hub_backup_bytes 0',
      'hub_backup_duration_seconds 0',
      'hub_backups_total{result="confirmed"} 0',
      'hub_backups_total{result="broken"} 0',
    ]);
  });

  test('age, size and duration are those of the last confirmed backup, and failed backups are counted', async () => {
    await using hub = await startTestHub();
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

describe('monitoring', () => {
  const ROOT = join(import.meta.dir, '../../../../..');
  const ALERTS = join(ROOT, 'ops/prometheus/alerts.yml');

  interface Rule {
    alert: string;
    expr: string;
    labels: { severity: string };
    annotations: { summary: string; description: string };
  }
  interface Panel {
    id: number;
    type: string;
    title: string;
    description?: string;
    targets?: { expr: string; legendFormat: string }[];
  }
  interface Dashboard {
    panels: Panel[];
    annotations: { list: { name: string; expr: string }[] };
    templating: { list: { name: string; query: string | { query: string } }[] };
  }

  const { groups } = Bun.YAML.parse(readFileSync(ALERTS, 'utf8')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const dashboard = JSON.parse(readFileSync(join(ROOT, 'ops/grafana/hub.json'), 'utf8')) as Dashboard;
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');

  /** The metrics of the real server after a post, without the parts of histograms. */
  let exported: Series[];
  let metricNames: string[];
  beforeAll(async () => {
    await using hub = spawnServer();
    await postOnce(hub);
    const text = await (await fetch('http://localhost/metrics', { unix: hub.adminSocket })).text();
    exported = seriesIn(text);
    metricNames = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? '');
  });

  async function postOnce(hub: ServerProcess): Promise<void> {
    const { url } = await hub.serving();
    const { id: hubId } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await fetch(`${url}/api/public/v1/messages`, { method: 'POST', headers, body: '{"text":"x"}' });
  }

  const labelsOf = (name: string): string[] => [
    ...new Set(exported.filter((series) => series.name === name).flatMap(({ labels }) => Object.keys(labels))),
  ];

  /** Returns the metric names and labels that an expression uses but the server does not export. */
  function unknownIn(expression: string, legend = ''): string[] {
    const { selectors, groupedBy } = readExpression(expression);
    const own = selectors.filter(({ name }) => name !== 'up');
    const unmatched = own.filter((selector) => !exported.some((series) => matchesSeries(selector, series)));
    const known = new Set([...SCRAPE_LABELS, ...own.flatMap(({ name }) => labelsOf(name))]);
    const shown = [...legend.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label]) => label ?? '');
    // The legend can only use the labels that an aggregation keeps.
    const kept = groupedBy.length > 0 ? new Set(groupedBy) : known;
    return [
      ...unmatched.map(({ name, matchers }) => `${name} ${JSON.stringify(matchers)}`),
      ...groupedBy.filter((label) => !known.has(label)),
      ...shown.filter((label) => !kept.has(label)),
      ...(selectors.length === 0 ? [`nothing is picked by ${expression}`] : []),
    ];
  }

  describe('the alert rules', () => {
    test('use only metrics and label values that the server has', () => {
      for (const { alert, expr, annotations } of rules) {
        expect([alert, unknownIn(expr, annotations.summary)]).toEqual([alert, []]);
      }
    });
  });

  describe('the dashboard', () => {
    test('uses only metrics and labels that the server has, in panels, legends and variables', () => {
      const targets = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));
      expect(targets.length).toBeGreaterThan(20);
      for (const { title, expr, legendFormat } of targets) {
        expect([title, unknownIn(expr, legendFormat)]).toEqual([title, []]);
      }
      for (const { name, expr } of dashboard.annotations.list) expect([name, unknownIn(expr)]).toEqual([name, []]);
      const [variable] = dashboard.templating.list.filter(({ name }) => name === 'instance');
      expect(variable?.query).toMatchObject({ query: 'label_values(hub_build_info, instance)' });
      expect(metricNames).toContain('hub_build_info');
    });

    test('shows every metric of the server, with unique panels that have descriptions', () => {
      const text = JSON.stringify(dashboard);
      expect(metricNames.filter((name) => name.startsWith('hub_') && !text.includes(name))).toEqual([]);
      expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
      for (const { title, description } of panels) expect([title, description]).toEqual([title, expect.any(String)]);
    });
  });

  describe('docs/operations.md', () => {
    const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| `(hub|process)_/.test(line));
    const documented = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)(?:\{([\w,]+)\})?`/g)]);

    test('lists exactly the metrics of the server', () => {
      expect(documented.map(([, name]) => name ?? '').sort()).toEqual([...metricNames].sort());
    });
  });
});

async function startHealth(probe?: () => Promise<void>) {
  const hub = await startTestHub();
  const lifecycle = new Lifecycle();
  const store = probe ? { probe } : hub.store;
  const app = createApp(hub.deps).use(healthRoutes({ store, lifecycle }));
  return {
    lifecycle,
    ask: async (path: string, method = 'GET') => {
      const request = new Request(`http://localhost${path}`, { method });
      beginRequest(request, { transport: 'public', address: '192.0.2.1', origin: 'http://localhost', startedAt: 0 });
      const response = await app.fetch(request);
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

describe('GET /healthz', () => {
  test('returns 200 while the process is alive, even while it is starting or stopping or its store is failing', async () => {
    await using health = await startHealth(() => Promise.reject(new StoreUnavailable(new Error())));
    expect(await health.ask('/healthz')).toEqual({ status: 200, body: { status: 'alive' } });
    health.lifecycle.stop();
    expect((await health.ask('/healthz')).status).toBe(200);
  });
});

describe('GET /readyz', () => {
  test('returns 503 until the server is ready, then 200, and 503 once it stops', async () => {
    await using health = await startHealth();
    expect(await health.ask('/readyz')).toMatchObject({
      status: 503,
      body: { statusCode: 503, message: 'The server is starting.', path: '/readyz' },
    });
    health.lifecycle.serve();
    expect(await health.ask('/readyz')).toEqual({ status: 200, body: { status: 'ready', writes: 'ok' } });
    health.lifecycle.isCommitFailing = true;
    expect(await health.ask('/readyz')).toEqual({ status: 200, body: { status: 'ready', writes: 'failing' } });
    health.lifecycle.stop();
    expect(await health.ask('/readyz')).toMatchObject({ status: 503, body: { message: 'The server is stopping.' } });
  });

  test('returns 503 while the store does not respond', async () => {
    let isFailing = true;
    await using health = await startHealth(() =>
      isFailing ? Promise.reject(new StoreUnavailable('')) : Promise.resolve(),
    );
    health.lifecycle.serve();
    expect((await health.ask('/readyz')).status).toBe(503);
    isFailing = false;
    expect((await health.ask('/readyz')).status).toBe(200);
  });
});
