import { expect, test } from 'bun:test';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { createdOf } from '@hub/testkit/in-process/public-caller';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';

test('at level debug, a post can be followed from its request id to the clients that got it', async () => {
  await using hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId, key } = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
  const reader = await liveClient(hub);
  await reader.subscribe(hubId);
  const response = await post(hub, 'messages', key, { text: 'private words' });
  const { id: itemId } = (await createdOf(response)).data;
  await reader.upTo(hubId, 1);
  reader.socket.close();
  await reader.closed;
  /** Returns the records that contain this text, as `grep` would. */
  const linesWith = (text: string) => hub.logged.filter((line) => JSON.stringify(line).includes(text));
  while (linesWith('Live connection closed').length === 0) await new Promise(setImmediate);
  expect(linesWith(response.headers.get('x-request-id') ?? '')).toMatchObject([
    { message: 'Post accepted', level: 'debug', fields: { keyId, hubId, itemId } },
  ]);
  expect(linesWith('Event published')).toMatchObject([
    { level: 'debug', fields: { hubId, seq: 1, event: 'message.created', itemId, liveViews: 1 } },
  ]);
  const [view] = linesWith('Live connection subscribed').map(({ fields }) => fields as { requestId: string });
  expect(view).toMatchObject({ hubId, outcome: 'live' });
  expect(linesWith(view?.requestId ?? '').map(({ message }) => message)).toEqual([
    'Live connection opened',
    'Live connection subscribed',
    'Live connection closed',
  ]);
  for (const secret of [key, 'private words']) expect(linesWith(secret)).toEqual([]);
});
