import type { Backup } from '@hub/contract';
import { isoTime } from '../core/time.ts';
import type { BackupRecord } from '../storage/backup-store.ts';

export function backupView({ takenAt, durationMs, ...facts }: BackupRecord): Backup {
  return { ...facts, takenAt: isoTime(takenAt), durationSeconds: durationMs / 1000 };
}
