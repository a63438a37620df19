import { type AlertSender, alertGroup, alertParts, headline } from './alerts.ts';

const ALERTMANAGER: AlertSender = { name: 'Alertmanager', links: { generatorURL: 'Source' } };

/**
 * Translates the webhook of Prometheus Alertmanager, version 4
 * (https://prometheus.io/docs/alerting/latest/configuration/#webhook_config).
 */
export function* alertmanagerParts(payload: unknown): Generator<string> {
  const group = alertGroup(payload);
  if (group === null) return;
  yield headline(group);
  yield* alertParts(group, ALERTMANAGER);
}
