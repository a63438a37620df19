import { describe, expect, test } from 'bun:test';
import { applyEvent, type EventFrame, type Item, type Items, type Message } from './index.ts';

const createdAt = '2026-03-01T09:30:00.000Z';
const message = (id: string, fields: Partial<Message> = {}) =>
  ({
    kind: 'message',
    id,
    hubId: 'hub_1',
    createdAt,
    text: 'Hello',
    replyCount: 0,
    deletedAt: null,
    ...fields,
  }) as Message;

const frame = (event: EventFrame['event'], data: unknown): EventFrame =>
  ({ type: 'event', hubId: 'hub_1', seq: 1, event, data }) as EventFrame;
const holding = (...items: Item[]): Items => new Map(items.map((item) => [item.id, item]));
const deletedAt = '2026-03-02T00:00:00.000Z';

describe('applyEvent', () => {
  test('keeps a deleted message with replies as a blank message until its last reply is gone', () => {
    const blank = message('msg_1', { text: null, deletedAt, replyCount: 1 });
    const items = applyEvent(holding(message('msg_1', { replyCount: 1 })), frame('message.deleted', blank));
    expect(items).toEqual(holding(blank));
    expect(applyEvent(items, frame('message.changed', { ...blank, replyCount: 0 }))).toEqual(new Map());
  });

  test('uses the state of the item, not the name of the event, because the item may have been deleted since', () => {
    const gone = message('msg_1', { text: null, deletedAt });
    const items = holding(message('msg_2'));
    expect(applyEvent(items, frame('message.created', gone))).toBe(items);
    expect(applyEvent(holding(message('msg_1')), frame('message.changed', gone))).toEqual(new Map());
  });

  test('removes an erased item, for which only a few fields are sent', () => {
    const erased = { kind: 'message', id: 'msg_1', hubId: 'hub_1', deletedAt };
    expect(applyEvent(holding(message('msg_1')), frame('message.created', erased))).toEqual(new Map());
  });

  test('removes older items of a pruned Hub, but not of another Hub', () => {
    const old = '2026-01-01T00:00:00.000Z';
    const kept = [message('msg_2', { parentId: 'msg_1' }), message('msg_3', { hubId: 'hub_2', createdAt: old })];
    const items = holding(message('msg_1', { createdAt: old }), ...kept);
    expect(applyEvent(items, frame('items.pruned', { before: createdAt }))).toEqual(holding(...kept));
  });

  test.each([
    ['hub.changed', { name: 'New name', topic: null, retentionDays: null }],
    ['hub.deleted', { name: 'Releases' }],
    ['hub.restored', { name: 'Releases' }],
    ['member.added', { id: 'msg_1', name: 'Ada' }],
    ['member.removed', { id: 'msg_1', name: 'Ada' }],
  ] as const)('returns the same map for %s', (name, data) => {
    const items = holding(message('msg_1'));
    expect(applyEvent(items, frame(name, data))).toBe(items);
  });
});
