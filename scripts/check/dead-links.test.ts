import { describe, expect, test } from 'bun:test';
import { deadLinks, headingAnchors } from './dead-links.ts';

/** A repository of these pages and files. */
function dead(pages: Record<string, string>): string[] {
  return deadLinks(Object.keys(pages), (path) => pages[path] ?? '');
}

describe('links in documents', () => {
  test('a link to a page, a folder, a heading or another host is fine', () => {
    const pages = {
      'README.md':
        '[a](docs/b.md) [b](docs/) [c](docs/b.md#how-it-works) [d](#start) [e](https://example.org)\n\n# Start',
      'docs/b.md': '## How *it* works\n\n[home](../README.md "Home") [root](/README.md)\n\n[ref]: b.md `keys/a.ts`',
      'apps/api/src/keys/a.ts': '',
    };
    expect(dead(pages)).toEqual([]);
  });

  test.each([
    ['[a](missing.md)', 'README.md links to missing.md, which is not there'],
    ['[a](b.md#no-such-heading)', 'README.md links to b.md#no-such-heading, which is not there'],
    ['[a](#nowhere)', 'README.md links to #nowhere, which is not there'],
    ['[a]: missing.md', 'README.md links to missing.md, which is not there'],
    ['<img src="missing.png">', 'README.md links to missing.png, which is not there'],
    ['see `apps/api/src/missing.ts`', 'README.md names apps/api/src/missing.ts, which is not there'],
    ['see `keys/missing.ts`', 'README.md names keys/missing.ts, which is not there'],
  ])('%s is found', (text, problem) => {
    expect(dead({ 'README.md': text, 'b.md': '# B' })).toEqual([problem]);
  });

  test('what is code is no link', () => {
    expect(dead({ 'README.md': '`[a](missing.md)`\n\n```\n[b](missing.md)\n```\n' })).toEqual([]);
  });

  test('headings get the anchors that GitHub gives them', () => {
    const page = '# HUB_DATA_DIR\n## `blocks` & more: a [link](x.md)\n## Twice\n## Twice\n```\n# no heading\n```\n';
    expect([...headingAnchors(page)]).toEqual(['hub_data_dir', 'blocks--more-a-link', 'twice', 'twice-1']);
  });
});
