import { describe, expect, test } from 'bun:test';
import { markdownLines } from './markdown-lines.ts';
import { Output } from './output.ts';
import type { Line } from './segments.ts';

/** Returns the lines for a terminal, with `<style>` tags instead of colors. */
function shown(markdown: string): string {
  const styled = (segment: Line[number]) =>
    typeof segment === 'string' ? segment : `<${segment.style}>${segment.text}</>`;
  return markdownLines(markdown)
    .map((line) => line.map(styled).join(''))
    .join('\n');
}

describe('Markdown on the terminal', () => {
  test.each([
    ['strong text, emphasis and code', '**a** *b* `c` ~~d~~', '<bold>a</> <italic>b</> <cyan>c</> <strikethrough>d</>'],
    ['nested styles', '**a *b***', '<bold>a </><bold,italic>b</>'],
    ['line breaks as written', 'a\nb  \nc', 'a\nb\nc'],
    ['paragraphs with an empty line between them', 'a\n\n\nb', 'a\n\nb'],
    ['headings', '# A *b*\ntext', '<bold>A </><bold,italic>b</>\ntext'],
    ['links with their URL', '[docs](https://x.example)', '<underline>docs</> (https://x.example)'],
    ['plain URLs once', 'see https://x.example', 'see <underline>https://x.example</>'],
    ['images with their alternative text', '![a graph](https://x.example/g.png)', 'a graph (https://x.example/g.png)'],
    ['lists', '- a\n- b\n\n3. c\n4. d', '- a\n- b\n3. c\n4. d'],
    ['nested lists with their indentation', '- a\n  - b\n    1. c', '- a\n  - b\n    1. c'],
    ['task lists', '- [x] a\n- [ ] b', '[x] a\n[ ] b'],
    ['list items with several paragraphs', '- a\n\n  b\n- c', '- a\n\n  b\n- c'],
    ['code blocks', '```js\nlet x;\n  y\n```', '  <cyan>let x;</>\n  <cyan>  y</>'],
    ['quotes', '> a\n> b', '<dim>> </>a\n<dim>> </>b'],
    ['tables', '|a|b|\n|-|-|\n|1|2|', '<bold>a</><dim> | </><bold>b</>\n1<dim> | </>2'],
    ['a rule', 'a\n\n---\n\nb', 'a\n<dim>---</>\nb'],
    [
      'the HTML that GitHub supports',
      'a <b>c</b><br>d <kbd>E</kbd>\n\n<div>f</div>',
      'a <bold>c</>\nd <cyan>E</>\n\nf',
    ],
    ['other HTML as written', 'a <x-y>c</x-y>\n\n<form>d</form>', 'a <x-y>c</x-y>\n<form>d</form>'],
    ['no comments', 'a <!-- b -->c\n\n<!-- d\n\ne -->\n\nf', 'a c\n\nf'],
    [
      'details with their content',
      '<details><summary>Notes</summary>\n\n- **a**\n\n</details>\n\nb',
      '<bold>▾ Notes</>\n  - <bold>a</>\nb',
    ],
    [
      'HTML tables',
      '<table><tr><th>a</th><th>b</th></tr>\n<tr><td>1<br>2</td><td><ul><li>3</li><li>4</li></ul></td></tr></table>',
      '<bold>a</><dim> | </><bold>b</>\n1 2<dim> | </>3 4',
    ],
    [
      'HTML links',
      '<a href="https://x.example">x</a> <a href="javascript:y">y</a>',
      '<underline>x</> (https://x.example) y',
    ],
    [
      'images in links with their alternative text',
      '[![age](https://y.example/i.svg)](https://x.example)',
      '<underline>age</> (https://x.example)',
    ],
    ['alerts', '> [!WARNING]\n> Take *care*', '<dim>> </><bold>Warning</>\n<dim>> </>Take <italic>care</>'],
    [
      'emoji for shortcodes, but not in code',
      ':tada: :white_check_mark: :nope: \\:tada: `:tada:`',
      '🎉 ✅ :nope: :tada: <cyan>:tada:</>',
    ],
    ['escaped tags as text', '\\<b>x\\</b> &lt;br&gt;', '<b>x</b> <br>'],
    ['entities as their characters', '&lt;&amp; \\*', '<& *'],
    ['nothing for empty text', '', ''],
  ])('shows %s', (_, markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });

  test('prints no escape sequences, even if entities create them', () => {
    let printed = '';
    const sink = { write: (text: string) => (printed += text), isTTY: true, columns: 80, drained: async () => {} };
    const stdout = sink as unknown as ConstructorParameters<typeof Output>[0]['stdout'];
    const output = new Output({ env: { NO_COLOR: '1' }, stdout, stderr: stdout }, { json: false, color: false });
    const evil = '&#x1b;[31m `\x1b]52;c;eA==\x07` **\x9b31m** # &#27;]0;x&#7;\n\n```\n\x1b[2J\n```\n\n<div>\x1bc</div>';
    for (const line of markdownLines(evil)) output.line(...line);
    expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test.each([
    ['nested quotes', `${'> '.repeat(20_000)}x${'\ny'.repeat(20_000)}`],
    ['nested lists', `${'- '.repeat(20_000)}x`],
    ['unclosed emphasis', '*a **b _c '.repeat(20_000)],
    ['brackets', '['.repeat(200_000)],
    ['many short lines', 'x\n'.repeat(100_000)],
    ['nested elements', '<details><b><table><td>'.repeat(8_000)],
    ['overlapping elements', '<b><i><s>x</b>y</i></s>'.repeat(8_000)],
    ['unclosed tags', '<a b="'.repeat(30_000)],
    ['unclosed comments', '<!-- '.repeat(40_000)],
  ])('takes linear time for %s', (_, markdown) => {
    const start = performance.now();
    expect(markdownLines(markdown).length).toBeGreaterThan(0);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
