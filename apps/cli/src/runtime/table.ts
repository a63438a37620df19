import type { Output } from './output.ts';
import { type Segment, styled } from './output.ts';
import { plainLine, textWidth } from './terminal-text.ts';

export interface Column<Row> {
  readonly title: string;
  cell(row: Row): Segment;
  /** Columns with this number are dropped if the table is too wide, lowest first. Their data is shown elsewhere. */
  dropOrder?: number;
}

const GAP = '  ';

/**
 * Prints rows as a table. If the terminal is too narrow, optional columns are dropped, with a note; if that is not
 * enough, each row becomes a block. Nothing is truncated, so that an ID can always be copied.
 */
export function printTable<Row>(output: Output, columns: Column<Row>[], rows: Row[]): void {
  const drawn = columns.map((column) => drawColumn(column, rows));
  const fitting = output.columns === undefined ? drawn : fittingColumns(drawn, output.columns);
  if (fitting === undefined) {
    printBlocks(output, drawn, rows.length);
    return;
  }
  for (const row of rowsOf(fitting, rows.length)) {
    output.line(
      ...row.flatMap((cell, index) => (index < row.length - 1 ? [cell, padding(cell, fitting[index]?.width)] : [cell])),
    );
  }
  const missing = drawn.filter((column) => !fitting.includes(column)).map(({ title }) => title);
  if (missing.length > 0) {
    output.note(styled('dim', `Hidden columns (terminal too narrow): ${missing.join(', ')}`));
  }
}

/** Prints a list: the JSON document, a table, or the note for an empty list. */
export function printList<Row>(output: Output, columns: Column<Row>[], items: Row[], none: string): void {
  if (output.json) output.document({ items });
  else if (items.length > 0) printTable(output, columns, items);
  else output.note(none);
}

/** A column with its cells. */
interface Drawn {
  title: string;
  cells: Segment[];
  width: number;
  dropOrder: number | undefined;
}

function drawColumn<Row>({ title, dropOrder, ...column }: Column<Row>, rows: Row[]): Drawn {
  const cells = rows.map((row) => column.cell(row));
  return { title, cells, width: Math.max(title.length, ...cells.map(widthOf)), dropOrder };
}

/** Returns the columns that fit into a width; undefined if even the required ones do not. */
function fittingColumns(columns: Drawn[], width: number): Drawn[] | undefined {
  const tableWidth = columns.reduce((sum, column) => sum + column.width, GAP.length * (columns.length - 1));
  if (tableWidth <= width) return columns;
  const [first] = columns
    .filter(({ dropOrder }) => dropOrder !== undefined)
    .sort((one, other) => (one.dropOrder ?? 0) - (other.dropOrder ?? 0));
  if (!first) return undefined;
  return fittingColumns(
    columns.filter((column) => column !== first),
    width,
  );
}

function rowsOf(columns: Drawn[], count: number): Segment[][] {
  const titles = columns.map(({ title }) => styled('bold', title));
  return [titles, ...Array.from({ length: count }, (_, index) => columns.map(({ cells }) => cells[index] ?? ''))];
}

function printBlocks(output: Output, columns: Drawn[], count: number): void {
  for (let index = 0; index < count; index += 1) {
    if (index > 0) output.line();
    printValues(
      output,
      columns.map(({ title, cells }) => [sentenceCase(title), cells[index] ?? ''] as const),
    );
  }
}

/** Prints one thing: the JSON document, or its labeled values, one per line. Values that are null are left out. */
export function printFields(
  output: Output,
  document: unknown,
  fields: readonly (readonly [title: string, value: Segment | null])[],
): void {
  if (output.json) output.document(document);
  else
    printValues(
      output,
      fields.filter((field): field is [string, Segment] => field[1] !== null),
    );
}

function printValues(output: Output, fields: readonly (readonly [title: string, value: Segment])[]): void {
  const width = Math.max(...fields.map(([title]) => title.length));
  for (const [title, value] of fields) {
    output.line(styled('bold', title), ' '.repeat(width - title.length), GAP, value);
  }
}

function sentenceCase(title: string): string {
  return title.length <= 2 ? title : title.charAt(0) + title.slice(1).toLowerCase();
}

function padding(cell: Segment, width = 0): string {
  return ' '.repeat(width - widthOf(cell)) + GAP;
}

/** Returns the width in terminal columns: an emoji or a Chinese character takes two. */
function widthOf(cell: Segment): number {
  return textWidth(plainLine(typeof cell === 'string' ? cell : cell.text));
}
