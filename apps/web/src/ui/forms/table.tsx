import { type ComponentChildren, type ComponentProps, Fragment } from 'preact';
import { Button } from '../button.tsx';

/** The role of a column: its classes `c-…` and `t-…`, and the grid area of its cells in narrow layouts. */
type Slot = 'name' | 'scope' | 'state' | 'used' | 'use' | 'actions' | 'time' | 'actor' | 'action' | 'from';

export interface Column<Row> {
  title: string;
  /** Whether only screen readers get the title. */
  isTitleHidden?: boolean;
  at: Slot;
  cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  class: string;
  /** The accessible name, or the id of the element that has it. */
  label?: string;
  labelledBy?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  attributes?: (row: Row) => Omit<ComponentProps<'tr'>, 'ref'> & { [name: `data-${string}`]: string };
  /** Details below a row, as wide as the table. */
  details?: (row: Row) => ComponentChildren;
}

/** Explicit ARIA roles: narrow layouts change `display`, and some browsers then drop the implicit table roles. */
const AS_TABLE = { role: 'table' } as const;
const AS_ROWS = { role: 'rowgroup' } as const;
const AS_ROW = { role: 'row' } as const;
const AS_HEAD = { role: 'columnheader', scope: 'col' } as const;
const AS_CELL = { role: 'cell' } as const;

/** A table that keeps its roles in narrow layouts. */
export function Table<Row>(props: TableProps<Row>) {
  const { class: name, label, labelledBy, columns, rows, keyOf, attributes, details } = props;
  return (
    <table class={`table ${name}`} {...AS_TABLE} aria-label={label} aria-labelledby={labelledBy}>
      <colgroup>
        {columns.map(({ at }) => (
          <col key={at} class={`c-${at}`} />
        ))}
      </colgroup>
      <thead {...AS_ROWS}>
        <tr {...AS_ROW}>
          {columns.map(({ title, isTitleHidden = false }) => (
            <th key={title} {...AS_HEAD}>
              {isTitleHidden ? <span class="sr">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...AS_ROWS}>
        {rows.map((row) => {
          const opened = details?.(row);
          return (
            <Fragment key={keyOf(row)}>
              <tr {...attributes?.(row)} {...AS_ROW}>
                {columns.map(({ at, cell }) => (
                  <td key={at} class={`t-${at}`} style={{ gridArea: at }} {...AS_CELL}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
              {opened && (
                <tr class="details-row" {...AS_ROW}>
                  <td colSpan={columns.length} aria-colspan={columns.length} {...AS_CELL}>
                    {opened}
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

interface NamedProps {
  /** An avatar or an icon. */
  image: ComponentChildren;
  name: ComponentChildren;
  isYou?: boolean;
  /** The line below the name. */
  sub?: ComponentChildren;
}

/** The subject of a row: an avatar or icon, a name and a line below. */
export function Named({ image, name, isYou = false, sub }: NamedProps) {
  return (
    <span class="name">
      {image}
      <span>
        <b>
          {name}
          {isYou && <span class="you"> (you)</span>}
        </b>
        {sub && <span class="sub">{sub}</span>}
      </span>
    </span>
  );
}

interface ListRowProps extends Partial<Pick<NamedProps, 'image'>>, Omit<NamedProps, 'image'> {
  /** See `useRowFocus`. */
  id?: string;
  /** A mark beside the name. */
  badge?: ComponentChildren;
  children?: ComponentChildren;
}

/** A row of a list: a name, a line about it and what can be done. */
export function ListRow({ id, image, name, badge, isYou = false, sub, children }: ListRowProps) {
  return (
    <li data-row-id={id}>
      {image}
      <span class="grow">
        <b>
          {name}
          {isYou && <span class="you"> (you)</span>}
        </b>
        {badge}
        <span class="help">{sub}</span>
      </span>
      {children}
    </li>
  );
}

interface RowButtonProps {
  /** The accessible name, which says which row the button is about. */
  label: string;
  onClick: () => void;
  children: ComponentChildren;
}

/** The action of a row. It has the focus again after the action, see `useRowFocus`. */
export function RowButton({ label, onClick, children }: RowButtonProps) {
  return <Button variant="is-small" label={children} data-row-focus aria-label={label} onClick={onClick} />;
}
