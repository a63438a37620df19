import { expect, test } from 'bun:test';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { type LogRecord, spawnServer } from '@hub/testkit/server-process';

/** Posts to a Hub followed by one live view on the real server, and stops the server so that everything is logged. */
async function postWithReader(level: 'info' | 'debug') {
  await using hub = spawnServer({ env: { HUB_LOG_LEVEL: level } });
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
  const { data } = (await response.json()) as { data: { id: string } };
  await reader.upTo(hubId, 1);
  hub.kill('SIGTERM');
  await hub.ended();
  const requestId = response.headers.get('x-request-id') ?? '';
  return { requestId, itemId: data.id, hubId, keyId, key, log: hub.stdout() };
}

/** Returns the log records that contain this text, as `grep` would. */
const linesWith = (log: string, text: string): LogRecord[] =>
  log
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as LogRecord);

test('at the default level, one line per post has its key, its item and the number of live views that got it', async () => {
  const { requestId, itemId, hubId, keyId, log } = await postWithReader('info');
  const post = { requestId, keyId, hubId, itemId, seq: 1, liveViews: 1, status: 201, path: '/api/public/v1/messages' };
  expect(linesWith(log, requestId)).toEqual([expect.objectContaining(post)]);
  expect(linesWith(log, itemId)).toHaveLength(1);
});

test('at level debug, a post can be followed from its request id to the clients that got it', async () => {
  const { requestId, itemId, hubId, keyId, key, log } = await postWithReader('debug');
  expect(linesWith(log, requestId)).toMatchObject([
    { msg: 'Post accepted', keyId, hubId, itemId },
    { msg: 'request', status: 201, itemId, seq: 1 },
  ]);
  expect(linesWith(log, itemId).map(({ msg }) => msg)).toEqual(['Post accepted', 'Event published', 'request']);
  expect(linesWith(log, 'Event published')).toMatchObject([
    { hubId, seq: 1, event: 'message.created', itemId, liveViews: 1 },
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
