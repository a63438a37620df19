import type { ComponentChildren, ComponentProps } from 'preact';

interface Column {
  title: string;
  /** Whether only screen readers get the title. */
  isTitleHidden?: boolean;
  class?: string;
}

interface TableProps {
  class: string;
  /** The accessible name, or the id of the element that has it. */
  label?: string;
  labelledBy?: string;
  columns: readonly Column[];
  /** `Row`s of `Cell`s. */
  children: ComponentChildren;
}

/** Explicit ARIA roles: narrow layouts change `display`, and some browsers then drop the implicit table roles. */
const AS_TABLE = { role: 'table' } as const;
const AS_ROWS = { role: 'rowgroup' } as const;
const AS_ROW = { role: 'row' } as const;
const AS_HEAD = { role: 'columnheader', scope: 'col' } as const;
const AS_CELL = { role: 'cell' } as const;

/** A table that keeps its roles in narrow layouts. */
export function Table({ class: name, label, labelledBy, columns, children }: TableProps) {
  return (
    <table class={name} {...AS_TABLE} aria-label={label} aria-labelledby={labelledBy}>
      <colgroup>
        {columns.map((column) => (
          <col key={column.title} class={column.class} />
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
      <tbody {...AS_ROWS}>{children}</tbody>
    </table>
  );
}

export function Row(props: ComponentProps<'tr'>) {
  return <tr {...props} {...AS_ROW} />;
}

export function Cell(props: ComponentProps<'td'>) {
  return <td {...props} {...AS_CELL} />;
}

interface RowButtonProps {
  /** The accessible name, which says which row the button is about. */
  label: string;
  onClick: () => void;
  children: ComponentChildren;
}

/** The action of a row. It has the focus again after the action, see `useRowFocus`. */
export function RowButton({ label, onClick, children }: RowButtonProps) {
  return (
    <button class="btn is-small" type="button" data-row-focus aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}
