import { Counter, Gauge, type Registry } from 'prom-client';
import type { BackupHistory } from '../store/backup-store.ts';

/** What is asked whenever the metrics are read. */
export interface BackupGauges {
  history: BackupHistory;
  /** Milliseconds since 1970. */
  now: number;
}

const SECOND_MS = 1_000;
/** By so much clocks are corrected in the course of things. */
const CLOCK_STEP_MS = 60 * SECOND_MS;

/** A backup that was never taken is infinitely old, so that a rule which warns of old ones needs no other for that. */
const METRICS = [
  [
    'hub_backup_age_seconds',
    'Time since the last confirmed backup was begun; +Inf if there was none, or the clock was set back since.',
    ({ history: { last }, now }) => (last ? ageSeconds(last.takenAt, now) : Number.POSITIVE_INFINITY),
  ],
  ['hub_backup_bytes', 'Size of the last confirmed backup.', ({ history: { last } }) => last?.bytes ?? 0],
  [
    'hub_backup_duration_seconds',
    'How long the last confirmed backup took, from its beginning until it was confirmed.',
    ({ history: { last } }) => (last?.durationMs ?? 0) / SECOND_MS,
  ],
] as const satisfies readonly (readonly [name: string, help: string, read: (gauges: BackupGauges) => number])[];

/** A clock that was set back leaves open how old a backup is: better a warning too many than an old one that looks new. */
function ageSeconds(takenAt: number, now: number): number {
  const ageMs = now - takenAt;
  return ageMs < -CLOCK_STEP_MS ? Number.POSITIVE_INFINITY : Math.max(0, ageMs) / SECOND_MS;
}

/** Registers them. The store knows the last backup, also that of a former process. */
export function registerBackupMetrics(registers: Registry[], read: () => BackupGauges): void {
  for (const [name, help, compute] of METRICS) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(compute(read()));
      },
    });
  }
  new Counter({
    name: 'hub_backups_total',
    help: 'Backups, by whether the receiver has confirmed them, or they could not be made or sent to their end.',
    labelNames: ['result'],
    registers,
    collect() {
      const { confirmed, broken } = read().history;
      this.reset();
      this.inc({ result: 'confirmed' }, confirmed);
      this.inc({ result: 'broken' }, broken);
    },
  });
}
