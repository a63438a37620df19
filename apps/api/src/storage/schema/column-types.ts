import { type AnySQLiteColumn, blob, integer, text } from 'drizzle-orm/sqlite-core';

export const bytes = () => blob({ mode: 'buffer' }).$type<Uint8Array>();

export const flag = () => integer({ mode: 'boolean' }).notNull();

export const idOf = (column: () => AnySQLiteColumn) => text().notNull().references(column);

export const itemKind = () => text({ enum: ['message', 'note', 'todo', 'reply'] }).notNull();

export const role = () => text({ enum: ['owner', 'admin', 'member'] });

export const actorKind = () => text({ enum: ['local', 'user', 'key', 'server'] }).notNull();

export const creator = () => ({ createdByKind: actorKind(), createdById: text(), createdByName: text().notNull() });
