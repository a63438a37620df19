import { type Output, type Segment, styled } from './output.ts';
import { plainLine, shortened, textWidth } from './terminal-text.ts';

export interface Column<Row> {
  readonly title: string;
  cell(row: Row): Segment;
  /** Columns with this number are dropped if the table is too wide, lowest first. Their data is shown elsewhere. */
  dropOrder?: number;
}

const GAP = '  ';

/** The width that a shortened e-mail address keeps. Commands take it, so only one that would hide columns is shortened. */
export const EMAIL_WIDTH = 32;

/** Returns a cell that a table may shorten on a terminal: a name or other text, never an ID, a hint or a time. */
export function freeText(text: string, minWidth = 12): Segment {
  return { text, style: [], minWidth };
}

/**
 * Prints rows as a table. If the terminal is too narrow, free text and very long e-mail addresses are shortened; if that
 * is not enough, optional columns are dropped, with a note. IDs, hints and times are never shortened, so that they can be
 * copied, and what names a row for the next command is not dropped. Files and pipes get everything.
 */
export function printTable<Row>(output: Output, columns: Column<Row>[], rows: Row[]): void {
  const drawn = columns.map((column) => drawColumn(column, rows));
  const shown = output.columns === undefined ? drawn : fittingColumns(drawn, output.columns);
  const titles = shown.map(({ title }) => styled('bold', title));
  for (const row of [titles, ...rows.map((_, index) => shown.map(({ cells }) => cells[index] ?? ''))]) {
    const before = row.slice(0, -1).flatMap((cell, index) => [cell, padding(cell, shown[index]?.width)]);
    output.line(...before, row.at(-1) ?? '');
  }
  const missing = drawn.map(({ title }) => title).filter((title) => !shown.some((column) => column.title === title));
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
  minWidth: number;
  dropOrder: number;
}

function drawColumn<Row>({ title, dropOrder = Infinity, ...column }: Column<Row>, rows: Row[]): Drawn {
  const cells = rows.map((row) => column.cell(row));
  const widest = (widths: number[]) => Math.max(title.length, ...widths);
  const minWidthOf = (cell: Segment) => (typeof cell === 'string' ? Infinity : (cell.minWidth ?? Infinity));
  const minWidth = widest(cells.map((cell) => Math.min(widthOf(cell), minWidthOf(cell))));
  return { title, cells, width: widest(cells.map(widthOf)), minWidth, dropOrder };
}

/** Returns the columns that fit into a width, or those that cannot be dropped. The widest ones are narrowed as needed. */
function fittingColumns(columns: Drawn[], width: number): Drawn[] {
  const sum = (widths: number[]) => widths.reduce((total, each) => total + each, GAP.length * (widths.length - 1));
  const dropOrder = Math.min(...columns.map((column) => column.dropOrder));
  if (dropOrder < Infinity && sum(columns.map(({ minWidth }) => minWidth)) > width) {
    const dropped = columns.findIndex((column) => column.dropOrder === dropOrder);
    return fittingColumns(columns.toSpliced(dropped, 1), width);
  }
  const narrow = columns.map((column) => ({ ...column }));
  for (let excess = sum(columns.map((column) => column.width)) - width; excess > 0; excess -= 1) {
    const able = narrow.filter((column) => column.width > column.minWidth);
    const [widest] = able.sort((one, other) => other.width - one.width);
    if (widest) widest.width -= 1;
  }
  return narrow.map((column) => ({ ...column, cells: column.cells.map((cell) => fitted(cell, column.width)) }));
}

function fitted(cell: Segment, width: number): Segment {
  return typeof cell === 'string' || widthOf(cell) <= width ? cell : { ...cell, text: shortened(cell.text, width) };
}

/** Prints one thing: the JSON document, or its labeled values, one per line. Values that are null are left out. */
export function printFields(
  output: Output,
  document: unknown,
  fields: readonly (readonly [title: string, value: Segment | null])[],
): void {
  if (output.json) {
    output.document(document);
    return;
  }
  const width = Math.max(...fields.map(([title, value]) => (value === null ? 0 : title.length)));
  for (const [title, value] of fields) {
    if (value !== null) output.line(styled('bold', title), padding(title, width), value);
  }
}

function padding(cell: Segment, width = 0): string {
  return ' '.repeat(width - widthOf(cell)) + GAP;
}

function widthOf(cell: Segment): number {
  return textWidth(plainLine(typeof cell === 'string' ? cell : cell.text));
}
