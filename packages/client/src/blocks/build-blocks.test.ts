import { describe, expect, test } from 'bun:test';
import type { KnownBlock } from '@hub/contract';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { checkBlocks } from '@hub/contract/blocks/check-blocks';
import fc from 'fast-check';
import type { Block } from '../index.ts';
import { code, delimiter, header, html, image, list, paragraph, quote, table, warning } from './index.ts';

/** One of each kind. The types say that the contract knows them, and that a message accepts them. */
const ALL = [
  header('Release <2.4>', 1),
  paragraph('a < b && c'),
  paragraph(html`<b>${'R&D'}</b> failed, see <a href="https://hub.example.com">the ${html`<i>log</i>`}</a>`),
  list(['one', { text: 'two', items: ['nested', html`<code>${'<x>'}</code>`] }], 'ordered'),
  list([{ text: 'done', checked: true }, 'open'], 'checklist'),
  quote('To be\nor not', 'Hamlet'),
  code('if (a < b) {}\n'),
  delimiter(),
  table(
    ['Host,Load', 'a&b,3'].map((row) => row.split(',')),
    { withHeadings: true },
  ),
  warning('Disk', '90 % full'),
  image('https://hub.example.com/a.png', 'A "chart"'),
] satisfies KnownBlock[] satisfies Block[];

describe('the builders of blocks', () => {
  test('build what the server accepts, and show text as it was given', () => {
    expect(checkBlocks(ALL)).toEqual({ ok: true, blocks: ALL as KnownBlock[] });
    expect(blocksToText(ALL)).toMatchInlineSnapshot(`
      "# Release <2.4>

      a < b && c

      R&D failed, see the log (https://hub.example.com)

      1. one
      2. two
         1. nested
         2. <x>

      [x] done
      [ ] open

      > To be
      > or not
      > — Hamlet

      if (a < b) {}


      ---

      Host | Load
      a&b | 3

      ⚠ Disk
      90 % full

      A "chart" (https://hub.example.com/a.png)"
    `);
  });

  test('escape any plain text', () => {
    const unit = fc.constantFrom('a', ' b', '<', '>', '&', 'amp;', '"', '<b>', '</b>', 'ü', '&#60;');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const trimmed = text.trim();
        expect(blocksToText([paragraph(trimmed)])).toBe(trimmed);
        expect(blocksToText([paragraph(html`<b>${trimmed}</b>`)])).toBe(trimmed);
      }),
    );
  });

  test('escape quotation marks, so that a value cannot leave an attribute', () => {
    const link = paragraph(html`<a href="https://x.example/${'" title="y'}">x</a>`);
    expect(link.data.text).toBe('<a href="https://x.example/&quot; title=&quot;y">x</a>');
  });

  test('do not compile with input that the server rejects', () => {
    // @ts-expect-error The level is 1 to 6.
    header('x', 7);
    // @ts-expect-error Images have an https URL.
    image('http://hub.example.com/a.png');
    // @ts-expect-error Unknown style.
    list(['x'], 'bullets');
    // @ts-expect-error A table has rows of cells.
    expect(() => table(['x'])).toThrow();
  });
});
