/** Explicit ARIA roles: narrow layouts change `display`, and table elements then lose their roles. */
export const AS_TABLE = { role: 'table' } as const;
export const AS_ROW_GROUP = { role: 'rowgroup' } as const;
export const AS_ROW = { role: 'row' } as const;
export const AS_COLUMN_HEAD = { role: 'columnheader' } as const;
export const AS_CELL = { role: 'cell' } as const;
