/** Narrow windows lay a table out with `display`, by which its elements lose their roles: so they are said. */
export const AS_TABLE = { role: 'table' } as const;
export const AS_ROW_GROUP = { role: 'rowgroup' } as const;
export const AS_ROW = { role: 'row' } as const;
export const AS_COLUMN_HEAD = { role: 'columnheader' } as const;
export const AS_CELL = { role: 'cell' } as const;
