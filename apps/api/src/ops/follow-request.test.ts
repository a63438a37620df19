import { expect, test } from 'bun:test';
import type { Hub, IssuedKey } from '@hub/contract';
import { askProcess, type LogRecord, spawnHub } from '../testing/hub-process.ts';
import { liveClient } from '../testing/live-client.ts';

/** A post to a Hub that one live view follows, on the real server; then the server ends, so that all is logged. */
async function postWithReader(level: 'info' | 'debug') {
  await using hub = spawnHub({ env: { HUB_LOG_LEVEL: level } });
  const url = await hub.url();
  const { id: hubId } = await askProcess<Hub>(hub, '/hubs', { name: 'Releases' });
  const { id: keyId, key } = await askProcess<IssuedKey>(hub, '/keys', {
    hubId,
    name: 'ci',
    scopes: ['messages:create'],
  });
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

/** As `grep` finds them. */
const linesWith = (log: string, text: string): LogRecord[] =>
  log
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as LogRecord);

test('at the usual level one line tells of a post: who sent it, what it became, and how many live views it went to', async () => {
  const { requestId, itemId, hubId, keyId, log } = await postWithReader('info');
  const post = { requestId, keyId, hubId, itemId, seq: 1, liveViews: 1, status: 201, path: '/api/public/v1/messages' };
  expect(linesWith(log, requestId)).toEqual([expect.objectContaining(post)]);
  expect(linesWith(log, itemId)).toHaveLength(1);
});

test('at the level debug its request id leads from its acceptance to its delivery, and to those who saw it', async () => {
  const { requestId, itemId, hubId, keyId, key, log } = await postWithReader('debug');
  expect(linesWith(log, requestId)).toMatchObject([
    { msg: 'A post was accepted', keyId, hubId, itemId },
    { msg: 'request', status: 201, itemId, seq: 1 },
  ]);
  expect(linesWith(log, itemId).map(({ msg }) => msg)).toEqual(['A post was accepted', 'An event went out', 'request']);
  expect(linesWith(log, 'An event went out')).toMatchObject([
    { hubId, seq: 1, event: 'message.created', itemId, liveViews: 1 },
  ]);
  const [view] = linesWith(log, 'A live view subscribed');
  expect(view).toMatchObject({ hubId, outcome: 'live' });
  expect(linesWith(log, String(view?.requestId)).map(({ msg }) => msg)).toEqual([
    'A live view was opened',
    'A live view subscribed',
    'A live view was closed',
  ]);
  for (const secret of [key, 'private words']) expect(log).not.toContain(secret);
});
