import { describe, expect, test } from 'bun:test';
import { firstLine } from './first-line.ts';

describe('the first line with text', () => {
  const cases: [string, string | null][] = [
    ['Hello', 'Hello'],
    ['\n\n  Hello \nWorld', 'Hello'],
    ['# Deploy **finished** in `42 s`', 'Deploy finished in 42 s'],
    ['> - [x] *done*', 'done'],
    ['1. first', 'first'],
    ['---\n```\ncode', 'code'],
    ['See [the log](https://example.org/a_b) now', 'See the log now'],
    ['![a diagram](https://example.org/x.png)', 'a diagram'],
    ['[![age](https://example.org/x.png)](https://example.org/why) of it', 'age of it'],
    ['snake_case and 2 * 3 * 4', 'snake_case and 2 * 3 * 4'],
    ['_emphasis_ ~~gone~~', 'emphasis gone'],
    ['#1 in line', '#1 in line'],
    ['🎉', '🎉'],
    ['<!-- generated -->\n<details><summary>Release <b>notes</b></summary>\n\nmore', 'Release notes'],
    ['<img src="https://example.org/x.png" alt="a graph"><br>x', 'a graph x'],
    ['> [!WARNING]\n> Take care', 'Take care'],
    ['Vec<T> &auml; `<b>` :rocket:', 'Vec<T> ä <b> 🚀'],
    ['  \n***\n', null],
    ['', null],
  ];
  test.each(cases)('of %p is %p', (markdown, line) => expect(firstLine(markdown, 255)).toBe(line));

  test('is cut between characters and marked with an ellipsis', () => {
    expect(firstLine('🚀'.repeat(5), 5)).toBe('🚀'.repeat(5));
    expect(firstLine('🚀'.repeat(6), 5)).toBe(`${'🚀'.repeat(4)}…`);
  });

  test('is found quickly even in text crafted to be slow', () => {
    const start = process.threadCpuUsage();
    for (const text of ['[', '[(', '* ', '_', '`', '> ', '**_']) firstLine(text.repeat(100_000), 255);
    expect(process.threadCpuUsage(start).user).toBeLessThan(500_000);
  });
});
