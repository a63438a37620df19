import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchesSeries, readExpression, SCRAPE_LABELS, type Series, seriesIn } from '@hub/testkit/in-process/promql';
import { type ServerProcess, spawnServer } from '@hub/testkit/server-process';

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
let metricsText: string;
beforeAll(async () => {
  await using hub = spawnServer();
  await postOnce(hub);
  const text = await (await fetch('http://localhost/metrics', { unix: hub.adminSocket })).text();
  metricsText = text;
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

const promtool = Bun.which('promtool');
test.skipIf(promtool === null)('the metrics pass promtool check metrics', async () => {
  const run = Bun.spawnSync([promtool ?? '', 'check', 'metrics'], { stdin: Buffer.from(metricsText) });
  expect([run.stdout.toString() + run.stderr.toString(), run.exitCode]).toEqual(['', 0]);
});

test('only summaries have the label quantile, and every summary has a sum and a count', () => {
  const summaries = [...metricsText.matchAll(/^# TYPE (\S+) summary$/gm)].map(([, name]) => name ?? '');
  const withQuantile = exported.filter(({ labels }) => 'quantile' in labels).map(({ name }) => name);
  expect([...new Set(withQuantile)]).toEqual(summaries);
  for (const name of summaries) {
    expect(exported.filter((series) => [`${name}_sum`, `${name}_count`].includes(series.name))).toHaveLength(2);
  }
});

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

  test('have unique names, a severity and a description that says what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)]);
      expect(annotations.description.length).toBeGreaterThan(20);
    }
  });

  test('are each covered by the promtool test file', () => {
    const tried = readFileSync(join(ROOT, 'ops/prometheus/alerts.test.yml'), 'utf8');
    expect(rules.map(({ alert }) => alert).filter((alert) => !tried.includes(`"${alert}"`))).toEqual([]);
  });

  test.skipIf(promtool === null)('pass their promtool tests', async () => {
    const files = join(ROOT, 'ops/prometheus');
    const run = Bun.spawnSync([promtool ?? '', 'test', 'rules', 'alerts.test.yml'], { cwd: files });
    expect([run.stdout.toString() + run.stderr.toString(), run.exitCode]).toEqual([expect.any(String), 0]);
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

  test('lists their labels', () => {
    for (const [, name = '', labels = ''] of documented) {
      const actual = [name, ...['_bucket', '_sum'].map((part) => `${name}${part}`)].flatMap(labelsOf);
      const expected = labels === '' ? [] : labels.split(',');
      expect([name, [...new Set(actual)].filter((label) => label !== 'le').sort()]).toEqual([name, expected.sort()]);
    }
  });
});
