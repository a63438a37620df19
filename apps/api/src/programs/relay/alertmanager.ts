import { type AlertSender, alertGroup, alertParts, headline } from './alerts.ts';
import type { Payload } from './payload.ts';

const ALERTMANAGER: AlertSender = { name: 'Alertmanager', links: { generatorURL: 'Source' } };

/**
 * Translates the webhook of Prometheus Alertmanager, version 4
 * (https://prometheus.io/docs/alerting/latest/configuration/#webhook_config).
 */
export function* alertmanagerParts(payload: Payload): Generator<string> {
  const group = alertGroup(payload);
  if (group === null) return;
  yield headline(group);
  yield* alertParts(group, ALERTMANAGER);
}
