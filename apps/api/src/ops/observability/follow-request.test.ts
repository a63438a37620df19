import { expect, test } from 'bun:test';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { type LogRecord, spawnServer } from '@hub/testkit/server-process';

/** Returns the log records that contain this text, as `grep` would. */
const linesWith = (log: string, text: string): LogRecord[] =>
  log
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as LogRecord);

test('at level debug, a post can be followed from its request id to the clients that got it', async () => {
  await using hub = spawnServer({ env: { HUB_LOG_LEVEL: 'debug' } });
  const { url } = await hub.serving();
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId, key } = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
  using reader = await liveClient({ url, socketPath: hub.adminSocket });
  await reader.subscribe(hubId);
  const response = await fetch(`${url}/api/public/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"text":"private words"}',
  });
  const itemId = ((await response.json()) as { data: { id: string } }).data.id;
  await reader.upTo(hubId, 1);
  hub.kill('SIGTERM');
  await hub.ended();
  const log = hub.stdout();
  expect(linesWith(log, response.headers.get('x-request-id') ?? '')).toMatchObject([
    { msg: 'Post accepted', level: 'debug', keyId, hubId, itemId },
    // At level info, this one line tells all.
    { msg: 'request', level: 'info', status: 201, keyId, hubId, itemId, seq: 1, liveViews: 1 },
  ]);
  expect(linesWith(log, itemId).map(({ msg }) => msg)).toEqual(['Post accepted', 'Event published', 'request']);
  expect(linesWith(log, 'Event published')).toMatchObject([
    { level: 'debug', hubId, seq: 1, event: 'message.created', itemId, liveViews: 1 },
  ]);
  const [view] = linesWith(log, 'Live connection subscribed');
  expect(view).toMatchObject({ hubId, outcome: 'live' });
  expect(linesWith(log, String(view?.requestId)).map(({ msg }) => msg)).toEqual([
    'Live connection opened',
    'Live connection subscribed',
    'Live connection closed',
  ]);
  for (const secret of [key, 'private words']) expect(log).not.toContain(secret);
});
