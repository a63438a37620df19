import type { Registry } from 'prom-client';
import type { LiveCounts } from '../live/live-counts.ts';
import { measuredCounter, measuredGauge } from './measured.ts';

const METRICS = [
  ['hub_live_sockets', 'Live connections.', 'sockets'],
  ['hub_live_subscriptions', 'Hubs that live connections follow, summed over the connections.', 'subscriptions'],
  ['hub_live_published_events_total', 'Events published to Hubs that somebody follows.', 'publishedEvents'],
  ['hub_live_replays_total', 'Subscriptions for which missing events were replayed.', 'replays'],
  ['hub_live_resets_total', 'Subscriptions that had to reload because what they missed is not kept.', 'resets'],
  [
    'hub_live_abnormal_closes_total',
    'Live connections that ended without a closing handshake: cut by the network, or read too slowly.',
    'abnormalCloses',
  ],
  [
    'hub_live_backpressure_closes_total',
    'Of those, the connections that the server cut because they read too slowly.',
    'backpressureCloses',
  ],
  ['hub_live_denied_closes_total', 'Live connections closed because session, token or account ended.', 'deniedCloses'],
] as const satisfies readonly [string, string, keyof LiveCounts][];

/** Registers them. The sums are kept by the live server itself, so that counting costs nothing per frame. */
export function registerLiveMetrics(registers: Registry[], read: () => LiveCounts): void {
  for (const [name, help, field] of METRICS) {
    const measured = name.endsWith('_total') ? measuredCounter : measuredGauge;
    measured(registers, { name, help }, () => read()[field]);
  }
}
