import { type Output, type Segment, styled } from './output.ts';
import { plainLine, shortened, textWidth } from './terminal-text.ts';

export interface Column<Row> {
  readonly title: string;
  cell(row: Row): Segment;
  /** Columns with this number are dropped if the table is too wide, lowest first. Their data is shown elsewhere. */
  dropOrder?: number;
}

const GAP = '  ';

/** The width that shortened text keeps. */
const MIN_TEXT_WIDTH = 12;
/** More than that, since commands take an e-mail address: only one that would hide columns is shortened. */
const MIN_EMAIL_WIDTH = 32;

/** Returns a cell that a table may shorten on a terminal: a name or other text, never an ID, a hint or a time. */
export function freeText(text: string, minWidth = MIN_TEXT_WIDTH): Segment {
  return { text, style: [], minWidth };
}

/** Returns a cell that a table may shorten on a terminal if the address is very long. */
export function emailAddress(text: string): Segment {
  return freeText(text, MIN_EMAIL_WIDTH);
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

/** Returns the columns that fit into a width, or those that cannot be dropped. */
function fittingColumns(columns: Drawn[], width: number): Drawn[] {
  const room = width - GAP.length * (columns.length - 1);
  const needed = columns.reduce((total, { minWidth }) => total + minWidth, 0);
  const dropOrder = Math.min(...columns.map((column) => column.dropOrder));
  if (needed <= room || dropOrder === Infinity) return narrowed(columns, room);
  const first = columns.find((column) => column.dropOrder === dropOrder);
  return fittingColumns(
    columns.filter((column) => column !== first),
    width,
  );
}

/** Narrows the widest columns that have room for it until all of them fit, and shortens their text. */
function narrowed(columns: Drawn[], room: number): Drawn[] {
  const narrow = columns.map((column) => ({ ...column }));
  for (let excess = columns.reduce((total, { width }) => total + width, 0) - room; excess > 0; excess -= 1) {
    const [widest] = narrow
      .filter(({ width, minWidth }) => width > minWidth)
      .sort((one, other) => other.width - one.width);
    if (!widest) break;
    widest.width -= 1;
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
