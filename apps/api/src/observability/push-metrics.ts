import type { Registry } from 'prom-client';
import type { PushCounts } from '../notifications/notifications.ts';
import { measuredCounter, measuredGauge } from './measured.ts';

const METRICS = [
  ['hub_push_subscriptions', 'Browsers subscribed to push notifications.', 'subscriptions'],
  ['hub_push_waiting', 'Push notifications being sent or waiting.', 'waiting'],
  ['hub_push_sent_total', 'Push notifications accepted by a push service.', 'sent'],
  ['hub_push_failed_total', 'Push notifications that failed, after one retry.', 'failed'],
  ['hub_push_dropped_total', 'Push notifications dropped because too many were waiting.', 'dropped'],
  ['hub_push_gone_total', 'Subscriptions that the push service reported as gone.', 'gone'],
] as const satisfies readonly [string, string, keyof PushCounts][];

/** Registers the metrics. The queue keeps the totals itself. */
export function registerPushMetrics(registers: Registry[], read: () => PushCounts): void {
  for (const [name, help, field] of METRICS) {
    const measured = name.endsWith('_total') ? measuredCounter : measuredGauge;
    measured(registers, { name, help }, () => read()[field]);
  }
}
