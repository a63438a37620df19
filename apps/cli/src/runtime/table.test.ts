import { expect, test } from 'bun:test';
import { Output, styled } from './output.ts';
import { type Column, printTable } from './table.ts';

const COLUMNS: Column<string[]>[] = [
  { title: 'NAME', cell: (row) => row[0] ?? '' },
  { title: 'STATE', cell: (row) => styled('green', row[1] ?? '') },
  { title: 'ID', cell: (row) => row[2] ?? '' },
];

function print(rows: string[][], { columns, color = false }: { columns?: number; color?: boolean } = {}): string {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const stdout = { isTTY: columns !== undefined, columns, write, drained: () => Promise.resolve() };
  printTable(new Output({ env: {}, stdout, stderr: stdout }, { json: false, color }), COLUMNS, rows);
  return text;
}

test('columns are aligned by what is seen, not by characters or colours', () => {
  const rows = [
    ['日本', 'active', 'a'],
    ['plain\x1b[31m', 'ok', 'b'],
  ];
  expect(print(rows)).toBe('NAME   STATE   ID\n日本   active  a\nplain  ok      b\n');
  expect(print(rows, { columns: 80, color: true })).toContain('日本   \x1b[32mactive\x1b[39m  a\n');
});

test('on a narrow terminal each row becomes a block, and nothing is cut off', () => {
  const rows = [
    ['one', 'active', 'x'.repeat(30)],
    ['two', 'ok', 'y'],
  ];
  expect(print(rows, { columns: 30 })).toBe(
    `Name   one\nState  active\nID     ${'x'.repeat(30)}\n\nName   two\nState  ok\nID     y\n`,
  );
});

test('what goes to a file or a pipe is a table however wide', () => {
  expect(print([['one', 'active', 'x'.repeat(300)]])).toContain(`one   active  ${'x'.repeat(300)}\n`);
});
