import { isObject } from '@hub/contract/blocks/block-problem';
import { type AlertSender, alertGroup, alertParts, headline, labelLine } from './alerts.ts';
import { listIn, type Payload, textIn } from './payload.ts';
import { boldHtml, html, isWebUrl, lineMarkdown, linkHtml, plainMarkdown, shortened } from './relay-markdown.ts';

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

/**
 * Translates the webhook of Grafana's alerting
 * (https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/).
 * A payload without alerts, as sent by the alerting of Grafana 10 and earlier, has a title, a state, a message and the
 * values that made the rule fire.
 */
export function* grafanaParts(payload: unknown): Generator<string> {
  if (!isObject(payload)) return;
  const [title, state, message] = [textIn(payload, 'title'), textIn(payload, 'state'), textIn(payload, 'message')];
  const group = alertGroup(payload);
  if (group === null && title === '' && message === '') return;
  if (group !== null) yield headline(group, title);
  else if (title !== '') yield lineMarkdown(boldHtml(shortened(title, MAX_TITLE_CHARACTERS)));
  if (group === null ? state !== '' : !SHOWN_STATES.has(state))
    yield lineMarkdown(`State: ${html(shortened(state, 100))}`);
  if (!DEFAULT_MESSAGE.test(message)) yield plainMarkdown(message);
  if (group !== null) yield* alertParts(group, GRAFANA);
  else yield labelLine(matchesIn(payload));
  for (const [field, label] of [
    ['ruleUrl', 'Rule'],
    ['imageUrl', 'Image'],
  ] as const) {
    const url = textIn(payload, field);
    if (isWebUrl(url)) yield lineMarkdown(linkHtml(url, label));
  }
}

/** Returns the metrics whose values made the rule fire. */
function matchesIn(payload: Payload): [name: string, text: string][] {
  const matches = listIn(payload, 'evalMatches').map((match): [string, string] => [
    textIn(match, 'metric') || 'value',
    textIn(match, 'value'),
  ]);
  return matches.filter(([, text]) => text !== '');
}
