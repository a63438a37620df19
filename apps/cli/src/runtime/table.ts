import type { Output } from './output.ts';
import { type Segment, styled } from './output.ts';
import { plainLine, shortened, textWidth } from './terminal-text.ts';

export interface Column<Row> {
  readonly title: string;
  cell(row: Row): Segment;
  /** Columns with this number are dropped if the table is too wide, lowest first. Their data is shown elsewhere. */
  dropOrder?: number;
  /** Whether an ID that does not fit goes on a line of its own. Only for the last column without a `dropOrder`. */
  mayOverflow?: boolean;
}

const GAP = '  ';

/** The width that shortened text keeps. */
const MIN_TEXT_WIDTH = 12;
/** More than that, since commands take an e-mail address: only one that would hide columns is shortened. */
const MIN_EMAIL_WIDTH = 32;

/** Returns a cell that a table may shorten on a terminal: a name or other text, never an ID, a hint or a time. */
export function freeText(text: string): Segment {
  return { text, style: [], minWidth: MIN_TEXT_WIDTH };
}

/** Returns a cell that a table may shorten on a terminal if the address is very long. */
export function emailAddress(text: string): Segment {
  return { text, style: [], minWidth: MIN_EMAIL_WIDTH };
}

/**
 * Prints rows as a table. If the terminal is too narrow, free text and very long e-mail addresses are shortened; if that
 * is not enough, optional columns are dropped, with a note, and else each row becomes a block with the complete text.
 * IDs, hints and times are never shortened, so that they can be copied, and what names a row for the next command (its
 * ID, or the e-mail address of a user) is not dropped. Files and pipes get everything.
 */
export function printTable<Row>(output: Output, columns: Column<Row>[], rows: Row[]): void {
  const drawn = columns.map((column) => drawColumn(column, rows));
  const fitting = output.columns === undefined ? drawn : fittingColumns(drawn, output.columns);
  if (fitting === undefined) {
    printBlocks(output, drawn, rows.length);
    return;
  }
  for (const row of rowsOf(fitting, rows.length)) {
    const [last = ''] = row.slice(-1);
    const before = row.slice(0, -1).flatMap((cell, index) => [cell, padding(cell, fitting[index]?.width)]);
    if (widthOf(last) <= (fitting.at(-1)?.width ?? 0)) output.line(...before, last);
    else {
      output.line(...before.slice(0, -1));
      output.line(' '.repeat(Math.max(0, (output.columns ?? 0) - widthOf(last))), last);
    }
  }
  const missing = drawn.map(({ title }) => title).filter((title) => !fitting.some((column) => column.title === title));
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
  dropOrder: number | undefined;
  mayOverflow: boolean | undefined;
}

function drawColumn<Row>({ title, dropOrder, mayOverflow, ...column }: Column<Row>, rows: Row[]): Drawn {
  const cells = rows.map((row) => column.cell(row));
  const minWidths = cells.map((cell) => Math.min(widthOf(cell), minWidthOf(cell)));
  const widest = (widths: number[]) => Math.max(title.length, ...widths);
  return { title, cells, width: widest(cells.map(widthOf)), minWidth: widest(minWidths), dropOrder, mayOverflow };
}

function minWidthOf(cell: Segment): number {
  return typeof cell === 'string' ? Infinity : (cell.minWidth ?? Infinity);
}

/** Returns the columns that fit into a width; undefined if even the required ones do not. */
function fittingColumns(columns: Drawn[], width: number): Drawn[] | undefined {
  const room = width - GAP.length * (columns.length - 1);
  if (sum(columns.map(({ minWidth }) => minWidth)) <= room) return narrowed(columns, room);
  const [first] = columns
    .filter(({ dropOrder }) => dropOrder !== undefined)
    .sort((one, other) => (one.dropOrder ?? 0) - (other.dropOrder ?? 0));
  const last = columns.at(-1);
  const others = columns.filter((column) => column !== (first ?? last));
  if (first) return fittingColumns(others, width);
  if (!last?.mayOverflow) return undefined;
  return fittingColumns([...others, { ...last, minWidth: MIN_TEXT_WIDTH, mayOverflow: false }], width);
}

/** Narrows the widest columns that have room for it until all of them fit, and shortens their text. */
function narrowed(columns: Drawn[], room: number): Drawn[] {
  const narrow = columns.map((column) => ({ ...column }));
  for (let excess = sum(columns.map(({ width }) => width)) - room; excess > 0; excess -= 1) {
    const [widest] = narrow
      .filter(({ width, minWidth }) => width > minWidth)
      .sort((one, other) => other.width - one.width);
    if (widest) widest.width -= 1;
  }
  return narrow.map((column) => ({ ...column, cells: column.cells.map((cell) => fitted(cell, column.width)) }));
}

function fitted(cell: Segment, width: number): Segment {
  return typeof cell === 'string' || widthOf(cell) <= width ? cell : { ...cell, text: shortened(cell.text, width) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
      columns
        .map(({ title, cells }) => [sentenceCase(title), cells[index] ?? ''] as const)
        .filter(([, cell]) => cell !== '' && (typeof cell === 'string' || cell.text !== '')),
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
  return title === 'ID' ? title : title.charAt(0) + title.slice(1).toLowerCase();
}

function padding(cell: Segment, width = 0): string {
  return ' '.repeat(width - widthOf(cell)) + GAP;
}

/** Returns the width in terminal columns: an emoji or a Chinese character takes two. */
function widthOf(cell: Segment): number {
  return textWidth(plainLine(typeof cell === 'string' ? cell : cell.text));
}
