import { afterEach, beforeEach, expect, test } from 'bun:test';
import { ABANDONED_MS } from '../../data/unsent/unsaved-text.ts';
import { Additions } from './additions.ts';

const PREFIX = 'hub.draft.per_1.additions.hub_1.';
const { localStorage } = globalThis;
let kept: Record<string, string>;

beforeEach(() => {
  kept = {};
  const methods = {
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, text: string) => {
      kept[name] = text;
    },
    removeItem: (name: string) => {
      delete kept[name];
    },
  };
  // Like a real storage, it has its entries as properties.
  const storage = new Proxy(methods, { ownKeys: () => Object.keys(kept), getOwnPropertyDescriptor: describe });
  Object.assign(globalThis, { localStorage: storage });
});
afterEach(() => {
  Object.assign(globalThis, { localStorage });
});

function describe(_: object, name: string | symbol): PropertyDescriptor | undefined {
  const value = kept[String(name)];
  return value === undefined ? undefined : { value, enumerable: true, configurable: true };
}

/** Stores an addition as another tab would. */
function keepElsewhere(id: string, fields: { error?: string | null; sendingAt?: string } = {}): void {
  const addition = { id, title: id, error: null, sendingAt: new Date().toISOString(), tab: 'other', ...fields };
  const event = { key: PREFIX + id, newValue: JSON.stringify(addition) };
  kept[event.key] = event.newValue;
  dispatchEvent(Object.assign(new Event('storage'), event));
}

const shown = (additions: Additions) => additions.all.peek().map(({ title, error }) => [title, error]);

test('keeps a failed addition across pages until it is added or discarded', () => {
  const additions = new Additions(PREFIX);
  additions.send({ id: '1', title: 'Paint the door', fields: {} });
  additions.send({ id: '2', title: 'Buy paint', fields: {} });
  additions.fail('1', 'Offline.');
  additions.drop('2');
  const left = [['Paint the door', 'Offline.']];
  expect([shown(additions), shown(new Additions(PREFIX))]).toEqual([left, left]);
  additions.drop('1');
  expect([additions.all.peek(), Object.keys(kept)]).toEqual([[], []]);
});

test('warns that an addition may have been saved if the page closed while it was being sent', () => {
  new Additions(PREFIX).send({ id: '1', title: 'Paint the door' });
  expect(new Additions(PREFIX).all.peek()[0]?.error).toContain('The to-do may have been added');
});

test('follows the additions of other tabs, which keep their own', () => {
  const additions = new Additions(PREFIX);
  keepElsewhere('1', { error: 'Offline.' });
  additions.send({ id: '2', title: 'Buy paint', fields: {} });
  additions.drop('2');
  expect([shown(additions), Object.keys(kept)]).toEqual([[['1', 'Offline.']], [`${PREFIX}1`]]);
  dispatchEvent(Object.assign(new Event('storage'), { key: `${PREFIX}1`, newValue: null }));
  expect(shown(additions)).toEqual([]);
});

test('takes an addition of another tab as interrupted only when its request must have ended', () => {
  keepElsewhere('1');
  keepElsewhere('2', { sendingAt: new Date(Date.now() - ABANDONED_MS).toISOString() });
  const errors = new Map(new Additions(PREFIX).all.peek().map(({ id, error }) => [id, error]));
  expect(errors.get('1')).toBeNull();
  expect(errors.get('2')).toContain('may have been added');
});
