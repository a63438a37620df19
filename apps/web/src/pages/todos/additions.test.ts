import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Additions, additionsOf } from './additions.ts';

const NAME = 'hub.draft.per_1.additions.hub_1';
const { localStorage } = globalThis;
let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  };
  Object.assign(globalThis, { localStorage: storage });
});
afterEach(() => {
  Object.assign(globalThis, { localStorage });
});

test('keeps a failed addition across pages until it is added or discarded', () => {
  const additions = new Additions(NAME);
  additions.put({ id: '1', title: 'Paint the door', error: null });
  additions.put({ id: '2', title: 'Buy paint', error: null });
  additions.put({ id: '1', title: 'Paint the door', error: 'Offline.' });
  additions.drop('2');
  const left = [{ id: '1', title: 'Paint the door', error: 'Offline.' }];
  expect([additions.all.peek(), new Additions(NAME).all.peek()]).toEqual([left, left]);
  additions.drop('1');
  expect([additions.all.peek(), [...kept]]).toEqual([[], []]);
});

test('warns that an addition may have been saved if the page closed while it was being sent', () => {
  new Additions(NAME).put({ id: '1', title: 'Paint the door', error: null });
  expect(new Additions(NAME).all.peek()[0]?.error).toContain('The to-do may have been added');
});

test('applies a response that arrives after the user has left and returned', () => {
  additionsOf('per_1', 'hub_1').put({ id: '1', title: 'Paint the door', error: null });
  const shown = additionsOf('per_1', 'hub_1').all;
  additionsOf('per_1', 'hub_1').drop('1');
  expect([shown.peek(), additionsOf('per_1', 'hub_2').all.peek()]).toEqual([[], []]);
});

test('ignores stored values of any other shape', () => {
  for (const text of ['{', '{}', '[1]', 'null', '[{"id":1}]']) {
    kept.set(NAME, text);
    expect(new Additions(NAME).all.peek()).toEqual([]);
  }
});
