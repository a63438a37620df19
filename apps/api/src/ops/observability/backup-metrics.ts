import type { Registry } from 'prom-client';
import type { BackupHistory } from '../../storage/store.ts';
import { measuredCounts, measuredGauge } from './measured.ts';

/** The values read for each scrape. */
export interface BackupGauges {
  history: BackupHistory;
  /** Milliseconds since 1970. */
  now: number;
}

const SECOND_MS = 1_000;
/** The largest clock correction that counts as routine. */
const CLOCK_STEP_MS = 60 * SECOND_MS;

/** The age is infinite if there is no backup, so an alert on old backups covers this case as well. */
const METRICS = [
  [
    'hub_backup_age_seconds',
    'Time since the start of the last confirmed backup; +Inf if there was none or the clock was set back since.',
    ({ history: { last }, now }) => (last ? ageSeconds(last.takenAt, now) : Number.POSITIVE_INFINITY),
  ],
  ['hub_backup_bytes', 'Size of the last confirmed backup.', ({ history: { last } }) => last?.bytes ?? 0],
  [
    'hub_backup_duration_seconds',
    'Duration of the last confirmed backup, from its start until it was confirmed.',
    ({ history: { last } }) => (last?.durationMs ?? 0) / SECOND_MS,
  ],
] as const satisfies readonly (readonly [name: string, help: string, read: (gauges: BackupGauges) => number])[];

/** Returns infinity if the clock was set back since: a false alarm is better than an old backup that looks new. */
function ageSeconds(takenAt: number, now: number): number {
  const ageMs = now - takenAt;
  return ageMs < -CLOCK_STEP_MS ? Number.POSITIVE_INFINITY : Math.max(0, ageMs) / SECOND_MS;
}

/** Registers the metrics. They include the last backup of a previous process, which the store has recorded. */
export function registerBackupMetrics(registers: Registry[], read: () => BackupGauges): void {
  for (const [name, help, compute] of METRICS) measuredGauge(registers, { name, help }, () => compute(read()));
  const help = 'Backups by result: confirmed by the recipient, or broken (could not be created or sent completely).';
  measuredCounts(registers, { name: 'hub_backups_total', help, labelNames: ['result'] }, () => {
    const { confirmed, broken } = read().history;
    return [
      [{ result: 'confirmed' }, confirmed],
      [{ result: 'broken' }, broken],
    ];
  });
}
