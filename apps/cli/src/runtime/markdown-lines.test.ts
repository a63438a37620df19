import { describe, expect, test } from 'bun:test';
import { type Line, markdownLines } from './markdown-lines.ts';
import { Output } from './output.ts';

/** As it stands on a terminal, with `<style>` in the place of colours. */
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
    ['styles within each other', '**a *b***', '<bold>a </><bold,italic>b</>'],
    ['line breaks as they were written', 'a\nb  \nc', 'a\nb\nc'],
    ['paragraphs apart', 'a\n\n\nb', 'a\n\nb'],
    ['headings', '# A *b*\ntext', '<bold>A </><bold,italic>b</>\ntext'],
    ['links with their address', '[docs](https://x.example)', '<underline>docs</> (https://x.example)'],
    ['bare addresses once', 'see https://x.example', 'see <underline>https://x.example</>'],
    ['images by what they show', '![a graph](https://x.example/g.png)', 'a graph (https://x.example/g.png)'],
    ['lists', '- a\n- b\n\n3. c\n4. d', '- a\n- b\n3. c\n4. d'],
    ['lists in lists', '- a\n  - b\n    1. c', '- a\n  - b\n    1. c'],
    ['task lists', '- [x] a\n- [ ] b', '[x] a\n[ ] b'],
    ['items of several paragraphs', '- a\n\n  b\n- c', '- a\n\n  b\n- c'],
    ['code blocks', '```js\nlet x;\n  y\n```', '  <cyan>let x;</>\n  <cyan>  y</>'],
    ['quotations', '> a\n> b', '<dim>> </>a\n<dim>> </>b'],
    ['tables', '|a|b|\n|-|-|\n|1|2|', '<bold>a</><dim> | </><bold>b</>\n1<dim> | </>2'],
    ['a rule', 'a\n\n---\n\nb', 'a\n<dim>---</>\nb'],
    ['HTML that GitHub shows', 'a <b>c</b><br>d <kbd>E</kbd>\n\n<div>f</div>', 'a <bold>c</>\nd <cyan>E</>\n\nf'],
    ['other HTML as it was written', 'a <x-y>c</x-y>\n\n<form>d</form>', 'a <x-y>c</x-y>\n<form>d</form>'],
    ['no comments', 'a <!-- b -->c\n\n<!-- d\n\ne -->\n\nf', 'a c\n\nf'],
    [
      'details with all that they hold',
      '<details><summary>Notes</summary>\n\n- **a**\n\n</details>\n\nb',
      '<bold>▾ Notes</>\n  - <bold>a</>\nb',
    ],
    [
      'tables of HTML',
      '<table><tr><th>a</th><th>b</th></tr>\n<tr><td>1<br>2</td><td><ul><li>3</li><li>4</li></ul></td></tr></table>',
      '<bold>a</><dim> | </><bold>b</>\n1 2<dim> | </>3 4',
    ],
    [
      'links of HTML',
      '<a href="https://x.example">x</a> <a href="javascript:y">y</a>',
      '<underline>x</> (https://x.example) y',
    ],
    [
      'pictures in links by their words',
      '[![age](https://y.example/i.svg)](https://x.example)',
      '<underline>age</> (https://x.example)',
    ],
    ['alerts', '> [!WARNING]\n> Take *care*', '<dim>> </><bold>Warning</>\n<dim>> </>Take <italic>care</>'],
    [
      'emoji for shortcodes, but not in code',
      ':tada: :white_check_mark: :nope: \\:tada: `:tada:`',
      '🎉 ✅ :nope: :tada: <cyan>:tada:</>',
    ],
    ['tags that are escaped', '\\<b>x\\</b> &lt;br&gt;', '<b>x</b> <br>'],
    ['entities as what they mean', '&lt;&amp; \\*', '<& *'],
    ['nothing', '', ''],
  ])('shows %s', (_, markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });

  test('lets no escape sequence through, not even one that only the Markdown makes', () => {
    let printed = '';
    const sink = { write: (text: string) => (printed += text), isTTY: true, columns: 80, drained: async () => {} };
    const stdout = sink as unknown as ConstructorParameters<typeof Output>[0]['stdout'];
    const output = new Output({ env: { NO_COLOR: '1' }, stdout, stderr: stdout }, { json: false, color: false });
    const evil = '&#x1b;[31m `\x1b]52;c;eA==\x07` **\x9b31m** # &#27;]0;x&#7;\n\n```\n\x1b[2J\n```\n\n<div>\x1bc</div>';
    for (const line of markdownLines(evil)) output.line(...line);
    expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test.each([
    ['quotes within quotes', `${'> '.repeat(20_000)}x${'\ny'.repeat(20_000)}`],
    ['lists within lists', `${'- '.repeat(20_000)}x`],
    ['emphasis that never ends', '*a **b _c '.repeat(20_000)],
    ['brackets', '['.repeat(200_000)],
    ['a line per character', 'x\n'.repeat(100_000)],
    ['elements within elements', '<details><b><table><td>'.repeat(8_000)],
    ['overlapping elements', '<b><i><s>x</b>y</i></s>'.repeat(8_000)],
    ['tags that do not end', '<a b="'.repeat(30_000)],
    ['comments that do not end', '<!-- '.repeat(40_000)],
  ])('is quick also with %s that are made to be slow', (_, markdown) => {
    const start = performance.now();
    expect(markdownLines(markdown).length).toBeGreaterThan(0);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
