/**
 * Promise: Alertmanager can post to a Hub with the configuration in docs/relay.md.
 *
 * Proof: a real Alertmanager notifies a real server of two alerts, and when they are resolved. Needs
 * prometheus-alertmanager.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@hub/contract';
import { type Admin, freePort, type Proof, REPOSITORY, runProof, spawnServer, stopServer } from '@hub/testkit';

const PROGRAM = 'prometheus-alertmanager';
const WAIT_MS = 30_000;

/** Lets the text of an alert mention members. */
const counterProof = {
  change: {
    file: 'apps/api/src/programs/relay/relay-markdown.ts',
    find: "    .replace(MENTION, (sign) => (sign === '@' ? AT : FULL_WIDTH_AT))\n",
    replace: '',
  },
  fails: 'adds no link and no mention',
};

await runProof({ limitSeconds: 90, counterProof }, async (proof) => {
  if (Bun.which(PROGRAM) === null) throw new Error(`This proof needs ${PROGRAM}: apt-get install ${PROGRAM}`);
  const server = spawnServer({ dataDir: proof.folder });
  const { url } = await server.serving();
  const { admin } = server;
  const { id: hubId } = await admin.createHub('Alerts');
  const { key } = await admin.issueKey({ hubId, name: 'alertmanager', scopes: ['messages:create'] });
  writeFileSync(join(proof.folder, 'hub.key'), `${key}\n`, { mode: 0o600 });

  const alertmanager = startAlertmanager(proof.folder, url);
  try {
    await proveAlerts(proof, { admin, hubId, alertmanager: alertmanager.url });
  } finally {
    alertmanager.child.kill();
    await alertmanager.child.exited;
    await stopServer(server);
  }
});

interface Parts {
  readonly admin: Admin;
  readonly hubId: string;
  readonly alertmanager: string;
}

async function proveAlerts({ check: record }: Proof, { admin, hubId, alertmanager }: Parts): Promise<void> {
  const check = (claim: string, holds: boolean, detail = ''): void => record(claim, holds, holds ? '' : detail);
  const alert = (instance: string, endsAt?: string) => ({
    labels: { alertname: 'HighLatency', cluster: 'eu-1', instance },
    annotations: {
      summary: `${instance} is slow [x](https://example.org) @Ada`,
      runbook_url: 'https://example.org/runbook',
    },
    generatorURL: 'https://prometheus.example.org/graph?g0.expr=latency',
    ...(endsAt === undefined ? {} : { endsAt }),
  });
  const send =
    (...alerts: object[]) =>
    async () => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${alertmanager}/api/v2/alerts`, {
        method: 'POST',
        headers,
        body: JSON.stringify(alerts),
      });
      return response.ok;
    };
  const messages = async () => (await admin.call<{ items: Message[] }>('GET', `/hubs/${hubId}/messages`)).items;
  const messageWith = (text: string) =>
    until(async () => (await messages()).find((message) => message.text?.includes(text)));

  await until(send(alert('api-1'), alert('api-2')));
  const firing = await messageWith('2 firing');
  const text = firing?.text ?? '';
  check('Alertmanager posts firing alerts as one message', text.includes('HighLatency: 2 firing'), text);
  check('the message shows its key', firing?.key?.name === 'alertmanager' && firing.author.kind === 'bot');
  const shown = ['cluster: eu-1', 'instance: api-1', 'api-2 is slow', '[Source](https://prometheus.example.org/'];
  check(
    'it shows labels, annotations and links',
    shown.every((part) => text.includes(part)),
    text,
  );
  check('text of an alert adds no link and no mention', !/(?<!\\)\]\(https:\/\/example\.org\)|@/.test(text), text);

  const now = new Date().toISOString();
  await until(send(alert('api-1', now), alert('api-2', now)));
  const resolved = await messageWith('2 resolved');
  check('Alertmanager posts that they are resolved', resolved?.text?.includes('Resolved** at') === true);
  const count = (await messages()).length;
  check('it posts one message for each change', count === 2, `${count} messages`);
  const failed = /^alertmanager_notifications_failed_total\{.*integration="webhook".*\} (\d+)$/m;
  const metrics = await (await fetch(`${alertmanager}/metrics`)).text();
  check('it counts no failed notification', failed.exec(metrics)?.[1] === '0', failed.exec(metrics)?.[0]);
}

/** Starts Alertmanager with the first configuration in docs/relay.md. It groups alerts for a second instead of more. */
function startAlertmanager(folder: string, hubUrl: string) {
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
  process.on('exit', () => child.kill('SIGKILL'));
  return { child, url: `http://127.0.0.1:${port}` };
}

/** Returns the first result that is not falsy, or undefined if there is none in time. */
async function until<T>(ask: () => Promise<T>): Promise<T | undefined> {
  const end = performance.now() + WAIT_MS;
  while (performance.now() < end) {
    const result = await ask().catch(() => undefined);
    if (result) return result;
    await Bun.sleep(100);
  }
  return undefined;
}
