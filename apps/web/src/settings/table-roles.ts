/** The roles of a table and its parts, said outright: narrow layouts change how they are displayed, and some browsers then forget them. */
export const AS_TABLE = { role: 'table' } as const;
export const AS_ROWS = { role: 'rowgroup' } as const;
export const AS_ROW = { role: 'row' } as const;
export const AS_HEAD = { role: 'columnheader', scope: 'col' } as const;
export const AS_CELL = { role: 'cell' } as const;
