import type { Backup } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { backupView } from './backup-view.ts';

/**
 * Whoever was given the copy has checked it and keeps it. Only from then on it counts: that all of it was sent does not say that it
 * is of any use.
 */
export async function confirmBackup({ store }: Pick<Deps, 'store'>, id: string): Promise<Backup> {
  const record = await store.backups.confirm(id);
  if (!record) throw new AppError('not_found', notFound('backup', id));
  return backupView(record);
}
