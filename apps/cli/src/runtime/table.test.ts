import { describe, expect, test } from 'bun:test';
import { Output, styled } from './output.ts';
import { type Column, freeText, printTable } from './table.ts';

const COLUMNS: Column<string[]>[] = [
  { title: 'NAME', cell: (row) => row[0] ?? '' },
  { title: 'STATE', cell: (row) => styled('green', row[1] ?? '') },
  { title: 'ID', cell: (row) => row[2] ?? '' },
];

function print(
  rows: string[][],
  { columns, color = false, of = COLUMNS }: { columns?: number; color?: boolean; of?: Column<string[]>[] } = {},
): string {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const stdout = { isTTY: columns !== undefined, columns, write, drained: () => Promise.resolve(), problem: undefined };
  printTable(new Output({ env: {}, stdout, stderr: { ...stdout, isTTY: false } }, { json: false, color }), of, rows);
  return text;
}

test('columns are aligned by their visible width', () => {
  const rows = [
    ['日本', 'active', 'a'],
    ['plain\x1b[31m', 'ok', 'b'],
  ];
  expect(print(rows)).toBe('NAME   STATE   ID\n日本   active  a\nplain  ok      b\n');
  expect(print(rows, { columns: 80, color: true })).toContain('日本   \x1b[32mactive\x1b[39m  a\n');
});

test('rows are printed as complete blocks on a narrow terminal', () => {
  const rows = [
    ['one', 'active', 'x'.repeat(30)],
    ['two', 'ok', 'y'],
  ];
  expect(print(rows, { columns: 30 })).toBe(
    `Name   one\nState  active\nID     ${'x'.repeat(30)}\n\nName   two\nState  ok\nID     y\n`,
  );
});

test('optional columns are hidden first, in their drop order, and listed below', () => {
  const wanted: Column<string[]>[] = [
    { title: 'NAME', cell: (row) => row[0] ?? '' },
    { title: 'STATE', cell: (row) => row[1] ?? '', dropOrder: 2 },
    { title: 'FROM', cell: () => '127.0.0.1', dropOrder: 1 },
    { title: 'ID', cell: (row) => row[2] ?? '' },
  ];
  const rows = [['one', 'active', 'x'.repeat(10)]];
  const at = (columns: number) => print(rows, { columns, of: wanted });
  expect(at(35)).toBe(`NAME  STATE   FROM       ID\none   active  127.0.0.1  ${'x'.repeat(10)}\n`);
  expect(at(34)).toBe(
    `NAME  STATE   ID\none   active  ${'x'.repeat(10)}\nHidden columns (terminal too narrow): FROM\n`,
  );
  expect(at(16)).toEndWith('narrow): STATE, FROM\n');
  expect(at(15)).toBe(`Name   one\nState  active\nFrom   127.0.0.1\nID     ${'x'.repeat(10)}\n`);
});

describe('free text', () => {
  test('does not narrow a column below a cell that is not free text', () => {
    const mixed: Column<string[]>[] = [
      { title: 'TARGET', cell: ([name = '', id = '']) => (name === '' ? id : freeText(name)) },
      { title: 'WHO', cell: () => freeText('x'.repeat(40)) },
    ];
    const targets = [
      ['y'.repeat(40), ''],
      ['', 'z'.repeat(30)],
    ];
    const [, first, second] = print(targets, { columns: 50, of: mixed }).split('\n');
    expect([first, second]).toEqual([
      `${'y'.repeat(29)}…  ${'x'.repeat(17)}…`,
      `${'z'.repeat(30)}  ${'x'.repeat(17)}…`,
    ]);
  });
});

test('a table in a file or a pipe has an unlimited width', () => {
  expect(print([['one', 'active', 'x'.repeat(300)]])).toContain(`one   active  ${'x'.repeat(300)}\n`);
});
