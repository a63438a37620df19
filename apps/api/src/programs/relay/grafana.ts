import { type AlertSender, alertGroup, alertParts, headline, labelLine } from './alerts.ts';
import type { Payload } from './payload.ts';
import { boldHtml, html, lineMarkdown, linkHtml, plainMarkdown, shortened } from './relay-markdown.ts';

const GRAFANA: AlertSender = {
  name: 'Grafana',
  links: {
    generatorURL: 'Rule',
    dashboardURL: 'Dashboard',
    panelURL: 'Panel',
    silenceURL: 'Silence',
    imageURL: 'Image',
  },
};

/** States that the icon of the headline already shows. */
const SHOWN_STATES = new Set(['', 'alerting', 'ok']);
/** The beginning of Grafana's default message, which repeats all alerts. */
const DEFAULT_MESSAGE = /^\*\*(?:Firing|Resolved)\*\*\s+Value: /;
const MAX_TITLE_CHARACTERS = 300;
const MAX_MATCHES = 40;

/**
 * Translates the webhook of Grafana's alerting
 * (https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/).
 * That of Grafana 10 and earlier has a title, a state, a message and values instead of alerts.
 */
export function* grafanaParts(payload: Payload): Generator<string> {
  const [title, state, message] = [payload.line('title'), payload.line('state'), messageIn(payload)];
  const group = alertGroup(payload);
  if (group === null && title === '' && message === '') return;
  if (group !== null) yield headline(group, title);
  else if (title !== '') yield lineMarkdown(boldHtml(shortened(title, MAX_TITLE_CHARACTERS)));
  if (group === null ? state !== '' : !SHOWN_STATES.has(state))
    yield lineMarkdown(`State: ${html(shortened(state, 100))}`);
  yield plainMarkdown(message);
  if (group !== null) yield* alertParts(group, GRAFANA);
  else yield labelLine(matchesIn(payload));
  for (const [field, label] of [
    ['ruleUrl', 'Rule'],
    ['imageUrl', 'Image'],
  ] as const) {
    const url = payload.url(field);
    if (url !== '') yield lineMarkdown(linkHtml(url, label));
  }
}

function messageIn(payload: Payload): string {
  return DEFAULT_MESSAGE.test(payload.line('message')) ? '' : payload.text('message');
}

function matchesIn(payload: Payload): [name: string, text: string][] {
  const matches = Array.from(payload.list('evalMatches', MAX_MATCHES), (match): [string, string] => [
    match.line('metric') || 'value',
    match.line('value'),
  ]);
  return matches.filter(([, text]) => text !== '');
}
