import type { Registry } from 'prom-client';
import type { LiveCounts } from '../live/live-counts.ts';
import { measuredCounter, measuredGauge } from './measured.ts';

const METRICS = [
  ['hub_live_sockets', 'Live connections.', 'sockets'],
  ['hub_live_subscriptions', 'Hubs followed by live connections, summed over all connections.', 'subscriptions'],
  ['hub_live_published_events_total', 'Events published to Hubs with at least one follower.', 'publishedEvents'],
  ['hub_live_replays_total', 'Subscriptions for which missing events were replayed.', 'replays'],
  ['hub_live_resets_total', 'Subscriptions that had to reload because the missed events are no longer kept.', 'resets'],
  [
    'hub_live_abnormal_closes_total',
    'Live connections that ended without a closing handshake: lost by the network, or closed as too slow.',
    'abnormalCloses',
  ],
  [
    'hub_live_backpressure_closes_total',
    'Live connections that the server closed because the client read too slowly.',
    'backpressureCloses',
  ],
  [
    'hub_live_denied_closes_total',
    'Live connections closed because their session, token or account ended.',
    'deniedCloses',
  ],
] as const satisfies readonly [string, string, keyof LiveCounts][];

/** Registers the metrics. The live server keeps the totals itself, so counting costs nothing per frame. */
export function registerLiveMetrics(registers: Registry[], read: () => LiveCounts): void {
  for (const [name, help, field] of METRICS) {
    const measured = name.endsWith('_total') ? measuredCounter : measuredGauge;
    measured(registers, { name, help }, () => read()[field]);
  }
}
