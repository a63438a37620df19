import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@hub/testkit/server';
import { REPOSITORY, spawnServer } from '@hub/testkit/server-process';

const PROGRAM = 'prometheus-alertmanager';
const WAIT_MS = 30_000;
const folder = mkdtempSync(join(tmpdir(), 'hub-alertmanager-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Without the program, the test is skipped, but not in CI. */
const isMissing = !process.env.CI && Bun.which(PROGRAM) === null;

test.skipIf(isMissing)(
  'Alertmanager posts firing and resolved alerts with the configuration in docs/relay.md',
  async () => {
    await using server = spawnServer({ dataDir: folder });
    const { url } = await server.serving();
    const { admin } = server;
    const { id: hubId } = await admin.createHub('Alerts');
    const { key } = await admin.issueKey({ hubId, name: 'alertmanager', scopes: ['messages:create'] });
    writeFileSync(join(folder, 'hub.key'), `${key}\n`, { mode: 0o600 });
    await using alertmanager = startAlertmanager(url);

    const alert = (instance: string, endsAt?: string) => ({
      labels: { alertname: 'HighLatency', cluster: 'eu-1', instance },
      annotations: {
        summary: `${instance} is slow [x](https://example.org) @Ada`,
        runbook_url: 'https://example.org/runbook',
      },
      generatorURL: 'https://prometheus.example.org/graph?g0.expr=latency',
      ...(endsAt === undefined ? {} : { endsAt }),
    });
    const send = async (...alerts: object[]): Promise<boolean> => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(alerts) };
      return (await fetch(`${alertmanager.url}/api/v2/alerts`, init)).ok;
    };
    const messages = async () => (await admin.request('GET /hubs/{hubId}/messages', { hubId })).items;
    const messageWith = (text: string) =>
      firstOf(async () => (await messages()).find((each) => each.text?.includes(text)));

    await firstOf(() => send(alert('api-1'), alert('api-2')));
    const firing = await messageWith('2 firing');
    expect(firing).toMatchObject({ key: { name: 'alertmanager' }, author: { kind: 'bot' } });
    const shown = ['HighLatency: 2 firing', 'cluster: eu-1', 'instance: api-1', 'api-2 is slow'];
    for (const part of [...shown, '[Source](https://prometheus.example.org/']) expect(firing?.text).toContain(part);
    // The text of an alert adds no link and no mention.
    expect(firing?.text).not.toMatch(/(?<!\\)\]\(https:\/\/example\.org\)|@/);

    const now = new Date().toISOString();
    await firstOf(() => send(alert('api-1', now), alert('api-2', now)));
    expect((await messageWith('2 resolved'))?.text).toContain('Resolved** at');
    expect(await messages()).toHaveLength(2);
    const metrics = await (await fetch(`${alertmanager.url}/metrics`)).text();
    expect(metrics).toMatch(/^alertmanager_notifications_failed_total\{.*integration="webhook".*\} 0$/m);
  },
);

/** Starts Alertmanager with the first configuration in docs/relay.md. It groups alerts for a second instead of more. */
function startAlertmanager(hubUrl: string) {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(join(REPOSITORY, 'docs/relay.md'), 'utf8')) ?? [];
  const changes = {
    'https://hub.example.org/': `${hubUrl}/`,
    '/etc/alertmanager/hub.key': join(folder, 'hub.key'),
    'receiver: hub\n': 'receiver: hub\n  group_wait: 1s\n  group_interval: 1s\n',
  };
  let config = yaml;
  for (const [from, to] of Object.entries(changes)) {
    if (!config.includes(from)) throw new Error(`The configuration in docs/relay.md does not contain ${from}`);
    config = config.replace(from, to);
  }
  const file = join(folder, 'alertmanager.yml');
  writeFileSync(file, config);
  const port = freePort();
  const child = Bun.spawn(
    [
      ...[PROGRAM, `--config.file=${file}`, `--storage.path=${join(folder, 'alertmanager')}`],
      ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
    ],
    { stdout: 'ignore', stderr: Bun.file(join(folder, 'alertmanager.log')) },
  );
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}

/** Returns the first result that is not falsy, or undefined if there is none in time. */
async function firstOf<T>(ask: () => Promise<T>): Promise<T | undefined> {
  const end = performance.now() + WAIT_MS;
  while (performance.now() < end) {
    const result = await ask().catch(() => undefined);
    if (result) return result;
    await Bun.sleep(100);
  }
  return undefined;
}
