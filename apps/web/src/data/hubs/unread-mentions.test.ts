import { describe, expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import { signal } from '@preact/signals';
import type { request } from '../request.ts';
import { markMentionsRead } from './mark-mentions-read.ts';
import { UnreadMentions } from './unread-mentions.ts';

const hub = (id: string, unreadMentionIds: string[], isMuted = false) => ({ id, unreadMentionIds, isMuted }) as Hub;

function start(...hubs: Hub[]) {
  const mine = signal<readonly Hub[]>(hubs);
  const reported: unknown[] = [];
  const errors: Error[] = [];
  const send = async (operation: string, input: object) => {
    reported.push([operation, input]);
    const error = errors.pop();
    if (error) throw error;
  };
  const mentions = new UnreadMentions(mine, send as typeof request);
  return { mine, reported, errors, mentions, send: send as typeof request };
}

describe('unread mentions', () => {
  test('are counted except in muted Hubs', () => {
    const { mentions } = start(hub('a', ['m1', 'm2']), hub('b', ['m3'], true));
    const isUnread = ['m2', 'm3', 'm4'].map((id) => mentions.has(id));
    expect([mentions.count.value, ...isUnread]).toEqual([2, true, true, false]);
  });

  test('are reported as read once, and again only after a failure', async () => {
    const { mentions, reported, errors } = start(hub('a', ['m1', 'm2']));
    await mentions.markRead(['m1', 'x']);
    await mentions.markRead(['m1', 'm2']);
    await mentions.markRead(['m1']);
    const reads = ['m1', 'm2'].map((id) => ['PUT /mentions/read', { body: { itemIds: [id] } }]);
    expect(reported).toEqual(reads);
    const other = start(hub('a', ['m1']));
    other.errors.push(new Error('offline'));
    expect(await other.mentions.markRead(['m1']).catch(({ message }) => message)).toBe('offline');
    await other.mentions.markRead(['m1']);
    expect(other.reported).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  test('are all marked as read up to the newest in each Hub', async () => {
    const { mine, reported, send } = start(hub('a', ['m2', 'm1']), hub('b', []), hub('c', ['m3'], true));
    await markMentionsRead(mine, send);
    const reads = ['m2', 'm3'].map((upTo) => ['PUT /mentions/read', { body: { upTo } }]);
    expect(reported).toEqual(reads);
  });

  test('in a thread are marked as read up to an event, if any are unread', async () => {
    const { mentions, reported } = start(hub('a', ['m2']));
    await mentions.markThreadRead('m0', [{ id: 'm1', seq: 4 }]);
    const replies = ['m1', 'm2'].map((id, n) => ({ id, seq: 4 + 3 * n }));
    for (let n = 0; n < 2; n += 1) await mentions.markThreadRead('m0', replies);
    expect(reported).toEqual([['PUT /items/{itemId}/replies/read', { itemId: 'm0', body: { seq: 7 } }]]);
  });
});
