import { afterAll, describe, expect, spyOn, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '@hub/contract';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from '@hub/contract/relay-payloads';
import { isPending, until } from '@hub/testkit/concurrency';
import { createdOf, errorOf, publicCaller, storedItem } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';
import { freePort } from '@hub/testkit/server';
import { REPOSITORY, spawnServer } from '@hub/testkit/server-process';
import { temporaryFolder } from '@hub/testkit/test-folder';

const EXAMPLES = { slack: SLACK_EXAMPLE, alertmanager: ALERTMANAGER_EXAMPLE, grafana: GRAFANA_EXAMPLE };
const BEGINNINGS = {
  slack: '### Deploy finished :tada:',
  alertmanager: '**🔥 HighLatency: 1 firing, 1 resolved**',
  grafana: '**🔥 \\[FIRING:1\\] DiskAlmostFull Storage (db-1)**',
};
type Sender = keyof typeof EXAMPLES;
const SENDERS = Object.keys(EXAMPLES) as Sender[];
const pathOf = (sender: Sender): string => `/api/public/v1/relay/${sender}`;

const hub = shared(startTestHub);

describe.each(SENDERS)('the relay for %s', (sender) => {
  test('returns the same 201 as a message, and accepts any JSON: it shows what it does not understand', async () => {
    const caller = await publicCaller(hub, { scopes: ['messages:create'] });
    const response = await caller.request(pathOf(sender), { body: EXAMPLES[sender] });
    expect(response.status).toBe(201);
    const body = await createdOf(response);
    const [id, conversationId] = [expect.stringMatching(/^msg_/), expect.stringMatching(/^cnv_/)];
    const createdAt = new Date(hub.clock.now()).toISOString();
    expect(body).toEqual({ success: true, data: { id, conversationId, createdAt } });
    expect(await storedItem(hub, body.data.id)).toMatchObject({
      ...{ kind: 'message', hubId: caller.hubId, keyId: caller.keyId, address: '192.0.2.1', blocks: null },
      requestId: response.headers.get('x-request-id') as string,
      body: expect.stringContaining(BEGINNINGS[sender]),
    });
    for (const strange of [{}, [], null, 'x', 1, { strange: { '\0': '\ud800' } }]) {
      const { data } = await createdOf(await caller.request(pathOf(sender), { body: strange }));
      const { body: shown } = await storedItem(hub, data.id);
      expect(shown).toMatch(/^\*\*Unknown (?:Slack|Alertmanager|Grafana) payload\*\*\n\n```json\n/);
      expect(shown).toContain(JSON.stringify(strange, null, 2));
    }
  });
});

test('a relayed message shows its key and reaches members, but mentions none of them', async () => {
  const caller = await publicCaller(hub);
  const ada = await memberOf(hub, caller.hubId, { name: 'Ada Lovelace' });
  const text = '@Ada Lovelace <@U1|Ada> *see* <https://hub.example.org|this>';
  await caller.request(pathOf('slack'), { body: { text } });
  await caller.post('messages', { text: '@Ada Lovelace, see above' });
  const list = await ada.call<{ items: Item[] }>('GET', `/hubs/${caller.hubId}/messages`);
  expect(list.items[1]).toMatchObject({ author: { kind: 'bot' }, key: { id: caller.keyId }, kind: 'message' });
  const mentions = await ada.call<{ items: Item[] }>('GET', '/mentions');
  expect(mentions.items.map(({ id }) => id)).toEqual([list.items[0]?.id as string]);
});

const FORM = 'application/x-www-form-urlencoded';
const payload = JSON.stringify({ text: '*Übung* 1 + 1 &amp; mehr', attachments: '[{"text": ":white_check_mark:"}]' });
const form = (field: string, value: string) =>
  new TextEncoder().encode(new URLSearchParams([[field, value]]).toString());

test.each([
  [FORM, form('payload', payload)],
  [`${FORM}; charset=UTF-8`, form('payload', payload)],
  ['application/json', { payload }],
])(
  'POST /api/public/v1/relay/slack with a payload field creates the same message as from the JSON itself: %s',
  async (contentType, body) => {
    const caller = await publicCaller(hub);
    const { data } = await createdOf(await caller.request(pathOf('slack'), { contentType, body }));
    expect((await storedItem(hub, data.id)).body).toBe('**Übung** 1 + 1 & mehr\n\n> :white_check_mark:');
  },
);

test.each([
  [
    'text=x',
    'The form has no field "payload". Send payload=… with the JSON, URL-encoded, or send the JSON itself with the header "Content-Type: application/json".',
  ],
  ['payload=', 'The body is empty. Send a JSON object.'],
  ['payload=%7B', expect.stringContaining('not valid JSON')],
])('POST /api/public/v1/relay/slack with a payload field returns 400 for the form %s', async (body, message) => {
  const caller = await publicCaller(hub);
  const response = await caller.request(pathOf('slack'), { contentType: FORM, body: new TextEncoder().encode(body) });
  expect(await errorOf(response)).toMatchObject({ statusCode: 400, message });
});

test('a key whose payload took long waits four times as long for the next, and no other key does', async () => {
  await using own = await startTestHub();
  const slow = await publicCaller(own);
  const relay = async (caller: typeof slow) => (await caller.request(pathOf('slack'), { body: { text: 'x' } })).status;
  let now = 0;
  const time = spyOn(own.clock, 'monotonic').mockImplementation(() => {
    now += 100;
    return now;
  });
  expect(await relay(slow)).toBe(201);
  const next = relay(slow);
  const isWaiting = async () => {
    for (let n = 0; n < 5; n += 1) expect(await relay(await publicCaller(own))).toBe(201);
    return isPending(next);
  };
  expect(await isWaiting()).toBe(true);
  own.clock.advance(399);
  expect(await isWaiting()).toBe(true);
  time.mockRestore();
  own.clock.advance(1);
  expect(await next).toBe(201);
});

const PROGRAM = 'prometheus-alertmanager';
const WAIT_MS = 30_000;
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** Without the program, the test is skipped, but not in CI. */
const isMissing = !process.env.CI && Bun.which(PROGRAM) === null;

test.skipIf(isMissing)(
  'Alertmanager posts firing and resolved alerts with the configuration in docs/relay.md',
  async () => {
    await using server = spawnServer({ dataDir: folder.path });
    const { url } = await server.serving();
    const { admin } = server;
    const { id: hubId } = await admin.createHub('Alerts');
    const { key } = await admin.issueKey({ hubId, name: 'alertmanager', scopes: ['messages:create'] });
    writeFileSync(folder.file('hub.key'), `${key}\n`, { mode: 0o600 });
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
      return (await fetch(`${alertmanager.url}/api/v2/alerts`, init).catch(() => null))?.ok === true;
    };
    const messages = async () => (await admin.request('GET /hubs/{hubId}/messages', { hubId })).items;
    const messageWith = async (text: string) => {
      const find = async () => (await messages()).find((each) => each.text?.includes(text));
      await until(WAIT_MS, async () => (await find()) !== undefined);
      return find();
    };

    await until(WAIT_MS, () => send(alert('api-1'), alert('api-2')));
    const firing = await messageWith('2 firing');
    expect(firing).toMatchObject({ key: { name: 'alertmanager' }, author: { kind: 'bot' } });
    const shown = ['HighLatency: 2 firing', 'cluster: eu-1', 'instance: api-1', 'api-2 is slow'];
    for (const part of [...shown, '[Source](https://prometheus.example.org/']) expect(firing?.text).toContain(part);
    // The text of an alert adds no link and no mention.
    expect(firing?.text).not.toMatch(/(?<!\\)\]\(https:\/\/example\.org\)|@/);

    const now = new Date().toISOString();
    await until(WAIT_MS, () => send(alert('api-1', now), alert('api-2', now)));
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
    '/etc/alertmanager/hub.key': folder.file('hub.key'),
    'receiver: hub\n': 'receiver: hub\n  group_wait: 1s\n  group_interval: 1s\n',
  };
  let config = yaml;
  for (const [from, to] of Object.entries(changes)) {
    if (!config.includes(from)) throw new Error(`The configuration in docs/relay.md does not contain ${from}`);
    config = config.replace(from, to);
  }
  const file = folder.file('alertmanager.yml');
  writeFileSync(file, config);
  const port = freePort();
  const child = Bun.spawn(
    [
      ...[PROGRAM, `--config.file=${file}`, `--storage.path=${folder.file('alertmanager')}`],
      ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
    ],
    { stdout: 'ignore', stderr: Bun.file(folder.file('alertmanager.log')) },
  );
  const dispose = async () => {
    child.kill();
    await child.exited;
  };
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: dispose };
}
