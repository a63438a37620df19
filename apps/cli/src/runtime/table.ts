import { type Output, type Segment, styled } from './output.ts';
import { plainLine } from './terminal-text.ts';

export interface Column<Row> {
  readonly title: string;
  cell(row: Row): Segment;
}

const GAP = '  ';

/**
 * Prints rows as a table if it fits, and as one block per row if the terminal is too narrow: nothing is cut off, so that
 * an id can always be copied.
 */
export function printTable<Row>(output: Output, columns: Column<Row>[], rows: Row[]): void {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...cells.map((row) => widthOf(row[index] ?? ''))),
  );
  const tableWidth = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1));
  if (output.columns !== undefined && tableWidth > output.columns) {
    const blocks = cells.map((row) =>
      columns.map((column, index) => [sentenceCase(column.title), row[index] ?? ''] as const),
    );
    for (const [index, block] of blocks.entries()) {
      if (index > 0) output.line();
      printFields(output, block);
    }
    return;
  }
  const titles = columns.map((column) => styled('bold', column.title));
  for (const row of [titles, ...cells]) {
    output.line(
      ...row.flatMap((cell, index) => (index < row.length - 1 ? [cell, padding(cell, widths[index])] : [cell])),
    );
  }
}

/** Prints named values below each other. */
export function printFields(output: Output, fields: readonly (readonly [title: string, value: Segment])[]): void {
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

/** How many columns of the screen it takes: an emoji or a Chinese character takes two. */
function widthOf(cell: Segment): number {
  return Bun.stringWidth(plainLine(typeof cell === 'string' ? cell : cell.text));
}
