import { describe, expect, spyOn, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from '@hub/contract/relay-payloads';
import { createdOf, errorOf, publicCaller, storedItem } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';

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
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^msg_/),
        conversationId: expect.stringMatching(/^cnv_/),
        createdAt: new Date(hub.clock.now()).toISOString(),
      },
    });
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
  await caller.request(pathOf('slack'), {
    body: { text: '@Ada Lovelace <@U1|Ada> *see* <https://hub.example.org|this>' },
  });
  await caller.post('messages', { text: '@Ada Lovelace, see above' });
  const { body: list } = await ada.json<{ items: Item[] }>('GET', `/hubs/${caller.hubId}/messages`);
  expect(list.items[1]).toMatchObject({ author: { kind: 'bot' }, key: { id: caller.keyId }, kind: 'message' });
  const { body: mentions } = await ada.json<{ items: Item[] }>('GET', '/mentions');
  expect(mentions.items.map(({ id }) => id)).toEqual([list.items[0]?.id as string]);
});

describe('POST /api/public/v1/relay/slack with a payload field', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const payload = JSON.stringify({ text: '*Übung* 1 + 1 &amp; mehr', attachments: '[{"text": ":white_check_mark:"}]' });
  const form = (field: string, value: string) =>
    new TextEncoder().encode(new URLSearchParams([[field, value]]).toString());

  test.each([
    [FORM, form('payload', payload)],
    [`${FORM}; charset=UTF-8`, form('payload', payload)],
    ['application/json', { payload }],
  ])('creates the same message as from the JSON itself: %s', async (contentType, body) => {
    const caller = await publicCaller(hub);
    const { data } = await createdOf(await caller.request(pathOf('slack'), { contentType, body }));
    expect((await storedItem(hub, data.id)).body).toBe('**Übung** 1 + 1 & mehr\n\n> :white_check_mark:');
  });

  test.each([
    [
      'text=x',
      'The form has no field "payload". Send payload=… with the JSON, URL-encoded, or send the JSON itself with the header "Content-Type: application/json".',
    ],
    ['payload=', 'The body is empty. Send a JSON object.'],
    ['payload=%7B', expect.stringContaining('not valid JSON')],
  ])('returns 400 for the form %s', async (body, message) => {
    const caller = await publicCaller(hub);
    const response = await caller.request(pathOf('slack'), { contentType: FORM, body: new TextEncoder().encode(body) });
    expect(await errorOf(response)).toMatchObject({ statusCode: 400, message });
  });
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
  let isDone = false;
  const next = relay(slow).finally(() => {
    isDone = true;
  });
  const isWaiting = async () => {
    for (let n = 0; n < 5; n += 1) expect(await relay(await publicCaller(own))).toBe(201);
    return !isDone;
  };
  expect(await isWaiting()).toBe(true);
  own.clock.advance(399);
  expect(await isWaiting()).toBe(true);
  time.mockRestore();
  own.clock.advance(1);
  expect(await next).toBe(201);
});
