import { expect, test } from 'bun:test';
import { itemUrl } from './item-url.ts';

test('returns the URL for every kind of item', () => {
  const at = (kind: 'message' | 'note' | 'todo', parentId?: string) =>
    itemUrl({ id: 'x_1', hubId: 'hub_1', kind, ...(parentId === undefined ? {} : { parentId }) });
  expect(at('message')).toBe('/hubs/hub_1?at=x_1');
  expect(at('message', 'msg_0')).toBe('/hubs/hub_1?at=msg_0&open=msg_0&reply=x_1');
  expect(at('note')).toBe('/hubs/hub_1/notes?open=x_1');
  expect(at('todo')).toBe('/hubs/hub_1/todos?open=x_1');
});

test('encodes ids with special characters', () => {
  expect(itemUrl({ id: 'a&b=c', hubId: '../x', kind: 'note' })).toBe('/hubs/..%2Fx/notes?open=a%26b%3Dc');
});
