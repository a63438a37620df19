import { type ComponentChildren, type ComponentProps, Fragment } from 'preact';
import { Button } from '../button.tsx';
import { FindField, TogglePill } from './choices.tsx';

/** The role of a column: its classes `c-…` and `t-…`, and the grid area of its cells in narrow layouts. */
type Slot = 'name' | 'scope' | 'state' | 'used' | 'use' | 'actions' | 'time' | 'actor' | 'action' | 'from';

export interface Column<Row> {
  title: string;
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
          {columns.map(({ title, at }) => (
            <th key={title} {...AS_HEAD}>
              {/* Only for screen readers: the cells speak for themselves. */}
              {at === 'name' || at === 'actions' ? <span class="sr">{title}</span> : title}
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
  image: ComponentChildren;
  name: ComponentChildren;
  isYou?: boolean;
  sub?: ComponentChildren;
}

/** The subject of a row: an avatar or icon, a name and a line below. */
export function Named({ image, sub, ...named }: NamedProps) {
  return (
    <span class="name">
      {image}
      <span>
        <Name {...named} />
        {sub && <span class="sub">{sub}</span>}
      </span>
    </span>
  );
}

function Name({ name, isYou = false }: Pick<NamedProps, 'name' | 'isYou'>) {
  return (
    <b>
      {name}
      {isYou && <span class="you"> (you)</span>}
    </b>
  );
}

interface ListRowProps extends Partial<Pick<NamedProps, 'image'>>, Omit<NamedProps, 'image'> {
  /** A mark beside the name. */
  badge?: ComponentChildren;
  children?: ComponentChildren;
}

/** A row of a list: a name, a line about it and what can be done. */
export function ListRow({ image, badge, sub, children, ...named }: ListRowProps) {
  return (
    <li>
      {image}
      <span class="grow">
        <Name {...named} />
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

export function RowButton({ label, onClick, children }: RowButtonProps) {
  return <Button variant="is-small" label={children} aria-label={label} onClick={onClick} />;
}

/** An entry of `<dl class="facts">`. */
export function Fact({ name, value, variant }: { name: string; value: ComponentChildren; variant?: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={variant}>{value}</dd>
    </>
  );
}

interface SettingsListProps<Row> extends Omit<TableProps<Row>, 'label' | 'labelledBy' | 'class' | 'keyOf'> {
  /** The heading of the rows, and the name of their table. */
  title: string;
  variant?: 'users' | 'hubs';
  find?: ComponentProps<typeof FindField> | undefined;
  /** The filter that adds rows, if there are such. */
  toggle?: ComponentProps<typeof TogglePill> | undefined;
  empty: ComponentChildren;
}

/** The list of a page: its filters, and a table of what they leave. */
export function SettingsList<Row extends { id: string }>(props: SettingsListProps<Row>) {
  const { title, variant = 'users', find, toggle, empty, rows, ...table } = props;
  const hasToggle = toggle !== undefined && toggle.count > 0;
  return (
    <>
      {(find || hasToggle) && (
        <div class="filters" role="group" aria-label="Filters">
          {find && <FindField {...find} />}
          {hasToggle && <TogglePill {...toggle} />}
        </div>
      )}
      <p class="sr" role="status">
        {find && find.value.trim() !== '' && `${rows.length} found`}
      </p>
      {rows.length === 0 ? (
        empty
      ) : (
        <>
          <h2 class="hub-head">
            {title} <span class="num">{rows.length}</span>
          </h2>
          <Table class={`keys ${variant}`} label={title} rows={rows} keyOf={({ id }) => id} {...table} />
        </>
      )}
    </>
  );
}
