import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { createdOf, errorOf, publicCaller, storedItem } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from './example-payloads.ts';

const EXAMPLES = { slack: SLACK_EXAMPLE, alertmanager: ALERTMANAGER_EXAMPLE, grafana: GRAFANA_EXAMPLE };
const BEGINNINGS = {
  slack: '### Deploy finished :tada:',
  alertmanager: '**🔥 HighLatency: 1 firing, 1 resolved**',
  grafana: '**🔥 \\[FIRING:1\\] DiskAlmostFull Storage (db-1)**',
};
type Sender = keyof typeof EXAMPLES;
const SENDERS = Object.keys(EXAMPLES) as Sender[];
const pathOf = (sender: Sender): string => `/api/public/v1/relay/${sender}`;

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

for (const sender of SENDERS) {
  describe(`POST ${pathOf(sender)}`, () => {
    test('returns the same 201 as a message, with the headers of the limit', async () => {
      const caller = await publicCaller(hub, { scopes: ['messages:create'] });
      const response = await caller.request(pathOf(sender), { body: EXAMPLES[sender] });
      expect(response.status).toBe(201);
      expect(response.headers.get('ratelimit-policy')).toBe('"default";q=60;w=60');
      expect(response.headers.get('ratelimit')).toBe('"default";r=59;t=60');
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
        kind: 'message',
        hubId: caller.hubId,
        keyId: caller.keyId,
        address: '192.0.2.1',
        requestId: response.headers.get('x-request-id') as string,
        body: expect.stringContaining(BEGINNINGS[sender]),
        blocks: null,
      });
    });

    test('accepts any JSON, and shows what it does not understand', async () => {
      const caller = await publicCaller(hub);
      for (const body of [{}, [], null, 'x', 1, { strange: { '\0': '\ud800' } }]) {
        const response = await caller.request(pathOf(sender), { body });
        expect(response.status).toBe(201);
        const { data } = await createdOf(response);
        const json = JSON.stringify(body, null, 2);
        expect((await storedItem(hub, data.id)).body).toMatch(
          /^\*\*Unknown (?:Slack|Alertmanager|Grafana) payload\*\*\n\n```json\n/,
        );
        expect((await storedItem(hub, data.id)).body).toContain(json);
      }
    });

    test('returns 400 for an empty or malformed body, and for invalid UTF-8', async () => {
      const caller = await publicCaller(hub);
      for (const body of ['', ' ', '{"text": ', '{"text":"x"} x']) {
        const response = await caller.request(pathOf(sender), { body: new TextEncoder().encode(body) });
        expect(await errorOf(response)).toMatchObject({ statusCode: 400, path: pathOf(sender) });
      }
      const invalid = await caller.request(pathOf(sender), { body: new Uint8Array([0x22, 0xff, 0x22]) });
      expect(invalid.status).toBe(400);
    });

    test('creates nothing for a key that was revoked while the body arrived', async () => {
      const caller = await publicCaller(hub);
      const finish = Promise.withResolvers<void>();
      const body = new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('{"text":'));
          await finish.promise;
          controller.enqueue(new TextEncoder().encode('"late"}'));
          controller.close();
        },
      });
      const response = caller.request(pathOf(sender), { body });
      while ((await hub.admin.showKey(caller.keyId)).requestCount === 0);
      await hub.admin.revokeKey(caller.keyId);
      finish.resolve();
      expect((await response).status).toBe(401);
    });
  });
}

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

test('the form that Slack also accepts gets a 415 that says what to send instead', async () => {
  const caller = await publicCaller(hub);
  const form = new TextEncoder().encode(`payload=${encodeURIComponent('{"text":"x"}')}`);
  const contentType = 'application/x-www-form-urlencoded';
  const response = await caller.request(pathOf('slack'), { contentType, body: form });
  expect(await errorOf(response)).toMatchObject({
    statusCode: 415,
    message: 'The body is a form. Send the JSON without "payload=", with the header "Content-Type: application/json".',
  });
  const other = await caller.request(pathOf('grafana'), { contentType, body: form });
  expect(await errorOf(other)).toMatchObject({
    statusCode: 415,
    message: `The Content-Type ${contentType} is not JSON in UTF-8. Add the header "Content-Type: application/json".`,
  });
});

test('the relay itself and unknown senders are 404, and the message lists the paths', async () => {
  const caller = await publicCaller(hub);
  for (const path of [
    '/api/public/v1/relay',
    '/api/public/v1/relay/',
    '/api/public/v1/relay/teams',
    `${pathOf('slack')}/x`,
  ]) {
    const { statusCode, message } = await errorOf(await caller.request(path, { body: {} }));
    expect([path, statusCode]).toEqual([path, 404]);
    expect(message).toContain('/api/public/v1/relay/alertmanager');
  }
});
