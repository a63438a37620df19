import { Counter, Gauge, type Registry } from 'prom-client';

/** What the live server counts, asked whenever the metrics are read. */
export interface LiveGauges {
  sockets: number;
  subscriptions: number;
  publishedEvents: number;
  replays: number;
  resets: number;
  abnormalCloses: number;
  deniedCloses: number;
}

const METRICS = [
  ['hub_live_sockets', 'Live connections.', 'sockets'],
  ['hub_live_subscriptions', 'Hubs that live connections follow, summed over the connections.', 'subscriptions'],
  ['hub_live_published_events_total', 'Events published to Hubs that somebody follows.', 'publishedEvents'],
  ['hub_live_replays_total', 'Subscriptions for which missing events were replayed.', 'replays'],
  ['hub_live_resets_total', 'Subscriptions that had to reload because what they missed is not kept.', 'resets'],
  [
    'hub_live_abnormal_closes_total',
    'Live connections that ended without a closing handshake: read too slowly, or cut.',
    'abnormalCloses',
  ],
  ['hub_live_denied_closes_total', 'Live connections closed because session, token or account ended.', 'deniedCloses'],
] as const;

/** Registers them. The sums are kept by the live server itself, so that counting costs nothing per frame. */
export function registerLiveMetrics(registers: Registry[], read: () => LiveGauges): void {
  for (const [name, help, field] of METRICS) {
    const readField = (): number => read()[field];
    if (name.endsWith('_total')) counterOf(registers, { name, help }, readField);
    else gaugeOf(registers, { name, help }, readField);
  }
}

function gaugeOf(registers: Registry[], described: { name: string; help: string }, read: () => number): void {
  new Gauge({
    ...described,
    registers,
    collect() {
      this.set(read());
    },
  });
}

function counterOf(registers: Registry[], described: { name: string; help: string }, read: () => number): void {
  new Counter({
    ...described,
    registers,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
