import { describe, expect, test } from 'bun:test';
import { type Mark, markText } from './markdown-edits.ts';

/** In these strings, `‹` and `›` enclose the selection. */
function after(mark: Mark, marked: string): string {
  const start = marked.indexOf('‹');
  const end = marked.indexOf('›') - 1;
  const text = marked.replace(/[‹›]/g, '');
  const { from, to, insert, start: first, end: last } = markText(mark, { text, start, end });
  const changed = text.slice(0, from) + insert + text.slice(to);
  return `${changed.slice(0, first)}‹${changed.slice(first, last)}›${changed.slice(last)}`;
}

describe('a toolbar button', () => {
  test.each<[Mark, string, string]>([
    ['bold', 'a ‹b› c', 'a **‹b›** c'],
    ['bold', 'a ‹b ›c', 'a **‹b›** c'],
    ['bold', 'a **‹b›** c', 'a ‹b› c'],
    ['bold', 'a ‹**b**› c', 'a ‹b› c'],
    ['bold', 'a ‹›', 'a **‹›**'],
    ['italic', '‹a›', '_‹a›_'],
    ['code', 'run ‹ls›', 'run `‹ls›`'],
    ['code', 'run\n‹ls\ncd›', 'run\n```\n‹ls\ncd›\n```'],
    ['code', '‹ls\ncd›\nnow', '```\n‹ls\ncd›\n```\nnow'],
    ['link', 'see ‹this›', 'see [this](‹https://›)'],
    ['link', 'see ‹https://a.example›', 'see [‹›](https://a.example)'],
    ['link', '‹›', '[‹›](https://)'],
    ['list', 'one\ntw‹o\nthree›', 'one\n‹- two\n- three›'],
    ['list', '‹- one\n- two›', '‹one\ntwo›'],
    ['list', 'one‹›', '- one‹›'],
    ['list', '- one\n‹two\n- three›', '- one\n‹- two\n- three›'],
  ])('%s turns %j into %j', (mark, before, behind) => expect(after(mark, before)).toBe(behind));
});
