import { resolve } from 'node:path';
import { type MoveContext, type MoveReport, moveWorkspace } from './move-workspace.ts';
import { withPostgresSource, withPostgresTarget } from './postgres-side.ts';
import { withSqliteSource, withSqliteTarget } from './sqlite-side.ts';

/** Two addresses, of which exactly one is in PostgreSQL. The other one is a data folder or, as the source, a backup. */
export interface MoveAddresses {
  from: string;
  to: string;
}

export const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//.test(address);

/** Returns an address without its password, or an absolute path. */
export function shownAddress(address: string): string {
  if (!isPostgres(address)) return resolve(address);
  return address.replace(/^([^/]*\/\/[^/?#:@]*):[^/?#]*@/, '$1@');
}

export async function move({ from, to }: MoveAddresses, options: Omit<MoveContext, 'to'>): Promise<MoveReport> {
  const context = { ...options, to: shownAddress(to) };
  if (isPostgres(from))
    return withPostgresSource(from, (source) =>
      withSqliteTarget(to, context, (target) => moveWorkspace(source, target, context)),
    );
  return withSqliteSource(from, (source) => withPostgresTarget(to, (target) => moveWorkspace(source, target, context)));
}
