import { expect } from 'bun:test';
import { onlyOnSqlite, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { createMetrics } from './metrics.ts';

const { test } = onlyOnSqlite('PostgreSQL has backups of its own');

/** Returns the lines of the backup metrics, without the `# HELP` lines. */
async function metricsOf({ store, clock }: TestHub): Promise<string[]> {
  const metrics = createMetrics({ version: '0.0.0-test' });
  metrics.watchBackups(() => ({ history: store.backups.history(), now: clock.now() }));
  return (await metrics.render()).split('\n').filter((line) => line.startsWith('hub_backup'));
}

test('the backup age is infinite without a backup, so that an alert on the age fires', async () => {
  await using hub = await startTestHub();
  expect(await metricsOf(hub)).toEqual([
    'hub_backup_age_seconds +Inf',
    'hub_backup_bytes 0',
    'hub_backup_duration_seconds 0',
    'hub_backups_total{result="confirmed"} 0',
    'hub_backups_total{result="broken"} 0',
  ]);
});

test('age, size and duration are those of the last confirmed backup, and failed backups are counted', async () => {
  await using hub = await startTestHub();
  const response = await hub.admin.raw('POST', '/backups');
  const { length } = await response.bytes();
  hub.clock.advance(1_500);
  await hub.admin.raw('POST', `/backups/${response.headers.get('hub-backup-id')}/confirmation`);
  await (await hub.store.backups.take('bak_1')).close('broken');
  hub.clock.advance(3_600_000);
  expect(await metricsOf(hub)).toEqual([
    'hub_backup_age_seconds 3601.5',
    `hub_backup_bytes ${length}`,
    'hub_backup_duration_seconds 1.5',
    'hub_backups_total{result="confirmed"} 1',
    'hub_backups_total{result="broken"} 1',
  ]);
});

test('the backup age is 0 after a small clock correction, and infinite after the clock was set far back', async () => {
  await using hub = await startTestHub();
  const response = await hub.admin.raw('POST', '/backups');
  await response.bytes();
  await hub.admin.raw('POST', `/backups/${response.headers.get('hub-backup-id')}/confirmation`);
  const taken = hub.clock.now();
  hub.clock.setWall(taken - 60_000);
  expect(await metricsOf(hub)).toContain('hub_backup_age_seconds 0');
  hub.clock.setWall(taken - 60_001);
  expect(await metricsOf(hub)).toContain('hub_backup_age_seconds +Inf');
  hub.clock.setWall(0);
  expect(await metricsOf(hub)).toContain('hub_backup_age_seconds +Inf');
});
