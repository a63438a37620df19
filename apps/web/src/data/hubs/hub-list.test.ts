import { expect, test } from 'bun:test';
import type { Hub } from '@hub/contract';
import { HubList } from './hub-list.ts';

test('sorts Hubs by name, and numbers in names by their value', () => {
  const list = new HubList();
  const hubs = ['shop 10', 'shop 2', 'Área', 'Shop 1', 'beta'].map(
    (name) => ({ id: name, name, isMember: true, deletedAt: null }) as Hub,
  );
  list.take(hubs, { former: [], resetIds: new Set() });
  expect(list.mine.value.map(({ name }) => name)).toEqual(['Área', 'beta', 'Shop 1', 'shop 2', 'shop 10']);
});
