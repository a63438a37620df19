import type { Backup } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { notFound } from '../core/printable.ts';
import { backupView } from './backup-view.ts';

/**
 * Records that the recipient has verified the copy and kept it. Only then does the backup count: having sent all of it
 * does not prove that it is usable.
 */
export async function confirmBackup({ store }: Pick<Deps, 'store'>, id: string): Promise<Backup> {
  const record = await store.backups.confirm(id);
  if (!record) throw new AppError('not_found', notFound('backup', id));
  return backupView(record);
}
