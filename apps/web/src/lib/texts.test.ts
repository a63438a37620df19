import { describe, expect, test } from 'bun:test';
import { itemUrl } from './item-url.ts';
import { withName } from './names.ts';
import { sizeText } from './size-text.ts';
import { unsavedPhrase } from './unsaved-phrase.ts';

describe('sizeText', () => {
  test('formats a size in a readable unit', () => {
    const sizes = [0, 999, 1_000, 12_440, 417_792, 12_400_000, 3_000_000_000, 5e15];
    expect(sizes.map((size) => sizeText(size).replace(/[.,]/g, '.'))).toEqual([
      '0 B',
      '999 B',
      '1 kB',
      '12.4 kB',
      '418 kB',
      '12.4 MB',
      '3 GB',
      '5.000 TB',
    ]);
  });
});

describe('itemUrl', () => {
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
});

describe('withName', () => {
  test('withName finds by any part of their name, ignoring case and accents', () => {
    const hubs = ['Équipe', 'ops/deploys', 'Releases'].map((name) => ({ name }));
    const found = (text: string) => withName(hubs, text).map(({ name }) => name);
    expect(found(' ')).toEqual(['Équipe', 'ops/deploys', 'Releases']);
    expect(found(' equ')).toEqual(['Équipe']);
    expect(found('DEPLOY')).toEqual(['ops/deploys']);
    expect(found('none')).toEqual([]);
  });
});

describe('unsavedPhrase', () => {
  test.each([
    [{ unsent: 0, draft: 0 }, ''],
    [{ unsent: 1, draft: 0 }, '1 unsent message'],
    [{ unsent: 0, draft: 1 }, '1 draft'],
    [{ unsent: 3, draft: 2 }, '3 unsent messages and 2 drafts'],
  ])('describes %j as %j', (kept, phrase) => {
    expect(unsavedPhrase(kept)).toBe(phrase);
  });
});
