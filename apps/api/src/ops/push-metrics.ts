import type { Registry } from 'prom-client';
import type { PushCounts } from '../notifications/notifications.ts';
import { measuredCounter, measuredGauge } from './measured.ts';

const METRICS = [
  ['hub_push_subscriptions', 'Browsers that are subscribed to notices by push.', 'subscriptions'],
  ['hub_push_waiting', 'Notices that are being pushed or wait for it.', 'waiting'],
  ['hub_push_sent_total', 'Notices that a push service has accepted.', 'sent'],
  ['hub_push_failed_total', 'Notices that no push service has accepted, after a second try.', 'failed'],
  ['hub_push_dropped_total', 'Notices that were given up because too many waited.', 'dropped'],
  ['hub_push_gone_total', 'Browsers of which their push service said that they are gone.', 'gone'],
] as const satisfies readonly [string, string, keyof PushCounts][];

/** Registers them. The sums are kept by the queue itself. */
export function registerPushMetrics(registers: Registry[], read: () => PushCounts): void {
  for (const [name, help, field] of METRICS) {
    const measured = name.endsWith('_total') ? measuredCounter : measuredGauge;
    measured(registers, { name, help }, () => read()[field]);
  }
}
