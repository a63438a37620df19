import { expect, test } from 'bun:test';
import { sizeText } from './size-text.ts';

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
