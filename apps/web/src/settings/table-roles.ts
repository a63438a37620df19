/** Explicit ARIA roles: narrow layouts change `display`, and some browsers then drop the implicit table roles. */
export const AS_TABLE = { role: 'table' } as const;
export const AS_ROWS = { role: 'rowgroup' } as const;
export const AS_ROW = { role: 'row' } as const;
export const AS_HEAD = { role: 'columnheader', scope: 'col' } as const;
export const AS_CELL = { role: 'cell' } as const;
