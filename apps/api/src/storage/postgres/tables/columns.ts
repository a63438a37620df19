import { customType } from 'drizzle-orm/pg-core';

/** Text that is compared byte by byte, like SQLite does, whatever the locale of the database. */
export const text = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** An integer that JavaScript can represent exactly, such as a time in milliseconds since 1970. */
export const integer = customType<{ data: number; driverData: number | string }>({
  dataType: () => 'bigint',
  fromDriver: Number,
});

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
