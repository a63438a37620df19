import type { ComponentChildren, ComponentProps } from 'preact';
import { FindField, TogglePill } from '../../ui/forms/choices.tsx';
import { Table, type TableProps } from '../../ui/forms/table.tsx';

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
