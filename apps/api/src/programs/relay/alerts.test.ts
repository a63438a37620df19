import { describe, expect, test } from 'bun:test';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE } from '@hub/contract/relay-payloads';
import { alertmanagerParts } from './alerts.ts';
import { grafanaParts } from './grafana.ts';
import { Payload } from './payload.ts';

const joined = (parts: Iterable<string>): string => [...parts].filter((part) => part !== '').join('\n\n');
const alertmanager = (payload: unknown): string => joined(alertmanagerParts(Payload.of(payload)));
const grafana = (payload: unknown): string => joined(grafanaParts(Payload.of(payload)));

describe('Alertmanager', () => {
  test('shows the example: counts, shared labels and annotations, then each alert with its own', () => {
    const source = '[Source](https://hub.example.org/prometheus/graph?g0.expr=latency\\_p99+%3E+1\\&g0.tab=1)';
    expect(alertmanager(ALERTMANAGER_EXAMPLE)).toBe(
      [
        '**🔥 HighLatency: 1 firing, 1 resolved**',
        'cluster: eu-1 · severity: page',
        '- [runbook](https://hub.example.org/runbooks/high-latency)',
        `🔥 **Firing** since 2026-03-01 09:30 UTC · ${source}\ninstance: api-2:9100\napi-2 answers in 1.9 s (p99)`,
        `✅ **Resolved** at 2026-03-01 09:41 UTC · ${source}\ninstance: api-1:9100\napi-1 answers in 0.2 s (p99)`,
        '[Alertmanager](https://hub.example.org/alertmanager)',
      ].join('\n\n'),
    );
  });

  test('shows firing alerts first, and only the counts that are not zero', () => {
    const [firing, resolved] = ALERTMANAGER_EXAMPLE.alerts;
    const both = alertmanager({ ...ALERTMANAGER_EXAMPLE, alerts: [resolved, firing] });
    expect(both.indexOf('**Firing**')).toBeLessThan(both.indexOf('**Resolved**'));
    expect(alertmanager({ ...ALERTMANAGER_EXAMPLE, alerts: [firing] })).toStartWith('**🔥 HighLatency: 1 firing**');
    const allResolved = alertmanager({ ...ALERTMANAGER_EXAMPLE, alerts: [resolved, resolved] });
    expect(allResolved).toStartWith('**✅ HighLatency: 2 resolved**');
  });

  test('says how many alerts Alertmanager left out', () => {
    expect(alertmanager({ ...ALERTMANAGER_EXAMPLE, truncatedAlerts: 3 })).toContain(
      '_Alertmanager left out 3 more alerts._',
    );
    expect(alertmanager({ ...ALERTMANAGER_EXAMPLE, truncatedAlerts: 1 })).toContain('left out 1 more alert._');
  });

  test.each([
    [{ groupLabels: { job: 'api', zone: 'a' }, receiver: 'hub' }, 'api, a'],
    [{ groupLabels: {}, receiver: 'hub' }, 'hub'],
    [{}, 'Alerts'],
  ])('is named by the group or the receiver without a common alert name: %j', (payload, name) => {
    expect(alertmanager({ ...payload, alerts: [{ status: 'firing' }] })).toBe(
      `**🔥 ${name}: 1 firing**\n\n🔥 **Firing**`,
    );
  });

  test('shows the summary and description as text with lines, and other annotations by name', () => {
    const annotations = { dashboard: 'https://a.example/d', description: 'b\n\n# c', note: 'x\ny', summary: 'a' };
    expect(alertmanager({ alerts: [{ annotations }] })).toEndWith(
      '🔥 **Firing**\na\nb\n\n\\# c\n- [dashboard](https://a.example/d)\n- note: x y',
    );
  });

  test.each([
    [{ startsAt: '0001-01-01T00:00:00Z' }],
    [{ startsAt: 'yesterday' }],
    [{ startsAt: 7 }],
    [{ generatorURL: 'javascript:alert(1)' }],
    [{ generatorURL: 'https://a.example/ b' }],
    [{ labels: 'x', annotations: [1], endsAt: {} }],
    [{ labels: { a: null, b: {}, c: ' ' } }],
  ])('leaves out what is missing or has another form: %j', (alert) => {
    expect(alertmanager({ receiver: 'hub', alerts: [alert, 'x', null] })).toBe('**🔥 hub: 1 firing**\n\n🔥 **Firing**');
  });

  for (const payload of [null, [], 'x', {}, { alerts: [] }, { alerts: {} }, { alerts: ['x'] }]) {
    test(`does not understand ${JSON.stringify(payload)}`, () => {
      expect(alertmanager(payload)).toBe('');
    });
  }
});

describe('Grafana', () => {
  test('shows the example: its title, values and links, without the default message', () => {
    const base = 'https://hub.example.org/grafana';
    const links = [
      `[Rule](${base}/alerting/grafana/bd1f/view?orgId=1)`,
      `[Dashboard](${base}/d/9WWxhIFWk?orgId=1)`,
      `[Panel](${base}/d/9WWxhIFWk?orgId=1\\&viewPanel=4)`,
      `[Silence](${base}/alerting/silence/new?matcher=host%3Ddb-1)`,
    ];
    expect(grafana(GRAFANA_EXAMPLE)).toBe(
      [
        '**🔥 \\[FIRING:1\\] DiskAlmostFull Storage (db-1)**',
        'grafana_folder: Storage · host: db-1',
        'The disk of db-1 is 91 % full',
        `🔥 **Firing** since 2026-03-01 09:30 UTC · ${links.join(' · ')}\nB: 91.4 · C: 1\n` +
          'Free some space, or grow the volume.\nIt grew by 4 % since yesterday.',
        `[Grafana](${base}/)`,
      ].join('\n\n'),
    );
  });

  test('shows a message of its own as plain text, and a state that the icon does not show', () => {
    const shown = grafana({ ...GRAFANA_EXAMPLE, state: 'no_data', message: 'Call *Ada*\n@Ada' });
    expect(shown).toContain('\n\nState: no_data\n\nCall \\*Ada\\*\n&#64;Ada\n\n');
  });

  test('shows the values as text if they are not numbers by name', () => {
    const alert = { values: null, valueString: "[ var='B' value=91.4 ]" };
    expect(grafana({ alerts: [alert] })).toContain("🔥 **Firing**\nvalue: \\[ var='B' value=91.4 \\]");
  });

  test('shows the notification of an old version, which has no alerts', () => {
    const old = {
      title: '[Alerting] Disk',
      state: 'alerting',
      message: 'Full',
      ruleUrl: 'https://a.example/r',
      imageUrl: 'https://a.example/i.png',
      evalMatches: [{ metric: 'db-1', value: 91.4, tags: null }, { value: null }],
    };
    expect(grafana(old)).toBe(
      [
        '**\\[Alerting\\] Disk**',
        'State: alerting',
        'Full',
        'db-1: 91.4',
        '[Rule](https://a.example/r)',
        '[Image](https://a.example/i.png)',
      ].join('\n\n'),
    );
  });

  for (const payload of [null, [], {}, { state: 'ok' }, { alerts: [] }]) {
    test(`does not understand ${JSON.stringify(payload)}`, () => {
      expect(grafana(payload)).toBe('');
    });
  }
});
