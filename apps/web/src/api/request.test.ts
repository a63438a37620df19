import { expect, test } from 'bun:test';
import { path } from './request.ts';

test('whatever a part of a path holds, it stays one part of that path', () => {
  for (const part of ['msg_1', '..', '.', '../..', '/', '%2e%2e', 'a?b#c', 'Ünïcode 👍', '']) {
    const { pathname, search, hash } = new URL(path`/items/${part}/origin`, 'http://hub.example/api/v1/');
    expect([part, pathname.split('/').length, search, hash]).toEqual([part, 4, '', '']);
    expect([part, pathname.startsWith('/items/') && pathname.endsWith('/origin')]).toEqual([part, true]);
  }
});
