import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { blocksToMarkdown } from './blocks-to-markdown.ts';
import { type InlineNode, parseInlineHtml } from './inline-html.ts';

/** Returns each visible character with those of its formats that Markdown supports. */
function visibleCharacters(html: string): string[] {
  const seen: string[] = [];
  const walk = (nodes: readonly InlineNode[], around: readonly string[]): void => {
    for (const node of nodes) {
      if (typeof node === 'string') {
        for (const character of node.replace(/\s/gu, ''))
          seen.push([character, ...[...new Set(around)].sort()].join(' '));
      } else if (node.tag === 'br') seen.push('break');
      else walk(node.children, [...around, ...marksOf(node.tag === 'a' ? node.href : node.tag)]);
    }
  };
  walk(parseInlineHtml(html), []);
  return trimmedBreaks(seen);
}

function marksOf(tag: string): string[] {
  if (tag === 'u' || tag === 'mark') return [];
  return [{ b: 'strong', i: 'em' }[tag] ?? tag];
}

function trimmedBreaks(seen: string[]): string[] {
  const start = seen.findIndex((each) => each !== 'break');
  return start === -1 ? [] : seen.slice(start, seen.findLastIndex((each) => each !== 'break') + 1);
}

/** Renders Markdown with an independent implementation. */
function read(markdown: string): string {
  return Bun.markdown.html(markdown, { tables: true, strikethrough: true, tasklists: true });
}

const words = fc.constantFrom(
  'a',
  'b ',
  ' c',
  'é',
  '12',
  '1. ',
  '# ',
  '- ',
  '+ ',
  '= ',
  '> ',
  '(',
  ')',
  '.',
  '"',
  '“',
  '😀',
  '!',
);
const signs = fc.constantFrom(
  '*',
  '**',
  '_',
  '__',
  '~',
  '~~',
  '`',
  '[',
  ']',
  '](x)',
  '&lt;',
  '&lt;b&gt;',
  '&amp;amp;',
  '\\',
  '|',
  '---',
  ':-',
  '\n',
  '\n\n',
  '    ',
);
const tag = fc.constantFrom('b', 'strong', 'i', 'em', 'u', 's', 'mark', 'a href="https://x.example/_y_(z)"');
const tree = fc.letrec<{ html: string; nodes: string }>((tie) => ({
  html: fc
    .array(
      fc.oneof({ weight: 3, arbitrary: words }, { weight: 2, arbitrary: signs }, fc.constant('<br>'), tie('nodes')),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join('')),
  nodes: fc.oneof(
    fc.tuple(tag, tie('html')).map(([open, inner]) => `<${open}>${inner}</${open.split(' ')[0]}>`),
    fc.constantFrom('x', 'a `b', '``', ' &lt;b&gt;*', '`').map((code) => `<code>${code}</code>`),
  ),
})).html;

test('the Markdown of a paragraph with any HTML looks the same as the HTML', () => {
  fc.assert(
    fc.property(tree, (text) => {
      const html = read(blocksToMarkdown([{ type: 'paragraph', data: { text } }]));
      expect(html).toMatch(/^(?:<p>[\s\S]*<\/p>\n?)?$/);
      expect(html).not.toMatch(/<\/p>[\s\S]*<p>/);
      const inner = html.replaceAll(/<(\/?)del>/g, '<$1s>').replace(/^<p>|<\/p>\n?$/g, '');
      expect(visibleCharacters(inner)).toEqual(visibleCharacters(text));
    }),
    { numRuns: 3000 },
  );
});
