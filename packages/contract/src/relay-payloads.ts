/**
 * One payload per sender, for the OpenAPI document and the tests. The field names are those of the senders'
 * documentation, which each translator names; the values are our own.
 */
export const SLACK_EXAMPLE = {
  text: 'Deploy of shop 4.17.3 finished',
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: 'Deploy finished :tada:', emoji: true } },
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: '*shop* 4.17.3 is live on <https://hub.example.org/shop?region=eu&amp;tier=1|eu-1>.\n_Took 42 s_, ~two~ no retries &lt;3',
      },
      fields: [
        { type: 'mrkdwn', text: '*Branch:*\n`main`' },
        { type: 'mrkdwn', text: '*By:*\n<@U024BE7LH|ada>' },
      ],
    },
    { type: 'divider' },
    { type: 'context', elements: [{ type: 'mrkdwn', text: 'Pipeline 8812, <!here>' }] },
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          text: { type: 'plain_text', text: 'Open pipeline' },
          url: 'https://hub.example.org/pipelines/8812',
        },
      ],
    },
  ],
};

export const ALERTMANAGER_EXAMPLE = {
  version: '4',
  groupKey: '{}:{alertname="HighLatency"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'hub',
  groupLabels: { alertname: 'HighLatency' },
  commonLabels: { alertname: 'HighLatency', cluster: 'eu-1', severity: 'page' },
  commonAnnotations: { runbook_url: 'https://hub.example.org/runbooks/high-latency' },
  externalURL: 'https://hub.example.org/alertmanager',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'HighLatency', cluster: 'eu-1', severity: 'page', instance: 'api-2:9100' },
      annotations: {
        summary: 'api-2 answers in 1.9 s (p99)',
        runbook_url: 'https://hub.example.org/runbooks/high-latency',
      },
      startsAt: '2026-03-01T09:30:12.201Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'https://hub.example.org/prometheus/graph?g0.expr=latency_p99+%3E+1&g0.tab=1',
      fingerprint: '8f9c2a1d77e04b35',
    },
    {
      status: 'resolved',
      labels: { alertname: 'HighLatency', cluster: 'eu-1', severity: 'page', instance: 'api-1:9100' },
      annotations: {
        summary: 'api-1 answers in 0.2 s (p99)',
        runbook_url: 'https://hub.example.org/runbooks/high-latency',
      },
      startsAt: '2026-03-01T09:12:12.201Z',
      endsAt: '2026-03-01T09:41:27.201Z',
      generatorURL: 'https://hub.example.org/prometheus/graph?g0.expr=latency_p99+%3E+1&g0.tab=1',
      fingerprint: '1b0d5e6f3c2a9847',
    },
  ],
};

export const GRAFANA_EXAMPLE = {
  receiver: 'hub',
  status: 'firing',
  orgId: 1,
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'DiskAlmostFull', grafana_folder: 'Storage', host: 'db-1' },
      annotations: {
        summary: 'The disk of db-1 is 91 % full',
        description: 'Free some space, or grow the volume.\nIt grew by 4 % since yesterday.',
      },
      startsAt: '2026-03-01T10:30:00+01:00',
      endsAt: '0001-01-01T00:00:00Z',
      values: { B: 91.4, C: 1 },
      valueString: "[ var='B' labels={host=db-1} value=91.4 ]",
      generatorURL: 'https://hub.example.org/grafana/alerting/grafana/bd1f/view?orgId=1',
      fingerprint: 'c6eadffa33fcdf37',
      silenceURL: 'https://hub.example.org/grafana/alerting/silence/new?matcher=host%3Ddb-1',
      dashboardURL: 'https://hub.example.org/grafana/d/9WWxhIFWk?orgId=1',
      panelURL: 'https://hub.example.org/grafana/d/9WWxhIFWk?orgId=1&viewPanel=4',
    },
  ],
  groupLabels: { alertname: 'DiskAlmostFull' },
  commonLabels: { alertname: 'DiskAlmostFull', grafana_folder: 'Storage', host: 'db-1' },
  commonAnnotations: { summary: 'The disk of db-1 is 91 % full' },
  externalURL: 'https://hub.example.org/grafana/',
  version: '1',
  groupKey: '{}:{alertname="DiskAlmostFull"}',
  truncatedAlerts: 0,
  title: '[FIRING:1] DiskAlmostFull Storage (db-1)',
  state: 'alerting',
  message: '**Firing**\n\nValue: B=91.4, C=1\nLabels:\n - alertname = DiskAlmostFull\n - host = db-1\n',
};
