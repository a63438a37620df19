import type { Backup } from '@hub/contract';
import type { BackupRecord } from '../storage/backup-store.ts';
import { isoTime } from '../time.ts';

export function backupView({ takenAt, durationMs, ...facts }: BackupRecord): Backup {
  return { ...facts, takenAt: isoTime(takenAt), durationSeconds: durationMs / 1000 };
}
