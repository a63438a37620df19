import { describe, expect, test } from 'bun:test';
import { deadLinks, headingAnchors } from './dead-links.ts';

/** Returns the dead links in a repository with these files. */
function dead(pages: Record<string, string>): string[] {
  return deadLinks(Object.keys(pages), (path) => pages[path] ?? '');
}

describe('links in documents', () => {
  test('accepts links to pages, folders, headings and other hosts', () => {
    const pages = {
      'README.md':
        '[a](docs/b.md) [b](docs/) [c](docs/b.md#how-it-works) [d](#start) [e](https://example.org)\n\n# Start',
      'docs/b.md': '## How *it* works\n\n[home](../README.md "Home") [root](/README.md)\n\n[ref]: b.md `keys/a.ts`',
      'apps/api/src/workspace/keys/a.ts': '',
    };
    expect(dead(pages)).toEqual([]);
  });

  test.each([
    ['[a](missing.md)', 'README.md links to missing.md, which does not exist'],
    ['[a](b.md#no-such-heading)', 'README.md links to b.md#no-such-heading, which does not exist'],
    ['[a](#nowhere)', 'README.md links to #nowhere, which does not exist'],
    ['[a]: missing.md', 'README.md links to missing.md, which does not exist'],
    ['<img src="missing.png">', 'README.md links to missing.png, which does not exist'],
    ['see `apps/api/src/missing.ts`', 'README.md names apps/api/src/missing.ts, which does not exist'],
    ['see `keys/missing.ts`', 'README.md names keys/missing.ts, which does not exist'],
  ])('reports %s', (text, problem) => {
    expect(dead({ 'README.md': text, 'b.md': '# B' })).toEqual([problem]);
  });

  test('ignores links in code', () => {
    expect(dead({ 'README.md': '`[a](missing.md)`\n\n```\n[b](missing.md)\n```\n' })).toEqual([]);
  });

  test('gives headings the same anchors as GitHub', () => {
    const page = '# HUB_DATA_DIR\n## `blocks` & more: a [link](x.md)\n## Twice\n## Twice\n```\n# no heading\n```\n';
    expect([...headingAnchors(page)]).toEqual(['hub_data_dir', 'blocks--more-a-link', 'twice', 'twice-1']);
  });
});
