import { isoTime, parseDateTime } from '../../platform/time.ts';
import type { Payload } from './payload.ts';
import {
  boldHtml,
  html,
  isWebUrl,
  lineMarkdown,
  linkHtml,
  listMarkdown,
  plainMarkdown,
  shortened,
} from './relay-markdown.ts';

/** More than fit into a body, unless they are empty. */
const MAX_ALERTS = 10_000;
const MAX_NAME_CHARACTERS = 100;
const MAX_LABEL_CHARACTERS = 300;
/** Annotations that need no name before their text. */
const SUMMARIES = ['summary', 'title', 'message', 'description'];

/** A sender of alerts: its name, and the fields of an alert that are links, with their labels. */
interface AlertSender {
  readonly name: string;
  readonly links: Readonly<Record<string, string>>;
}

interface AlertGroup {
  readonly payload: Payload;
  readonly alerts: readonly Payload[];
}

/** Returns a notification, or `null` if the payload is none. */
function alertGroup(payload: Payload): AlertGroup | null {
  const alerts = [...payload.list('alerts', MAX_ALERTS)];
  return alerts.length === 0 ? null : { payload, alerts };
}

/** Returns the headline: `🔥 HighLatency: 2 firing, 1 resolved`. `title` replaces the name and the counts. */
function headline({ payload, alerts }: AlertGroup, title = ''): string {
  const resolved = alerts.filter(isResolved).length;
  const icon = resolved === alerts.length ? '✅' : '🔥';
  const counts = [`${alerts.length - resolved} firing`, `${resolved} resolved`].filter(
    (count) => !count.startsWith('0'),
  );
  const text = title || `${nameOf(payload)}: ${counts.join(', ')}`;
  return lineMarkdown(boldHtml(`${icon} ${shortened(text, MAX_LABEL_CHARACTERS)}`));
}

/** Yields what all alerts share, then each alert, firing ones first, then links and a count of missing alerts. */
function* alertParts({ payload, alerts }: AlertGroup, sender: AlertSender): Generator<string> {
  const [labels, annotations] = [payload.object('commonLabels'), payload.object('commonAnnotations')];
  yield labelLine(labels.pairs((name) => name !== 'alertname'));
  yield annotationLines(annotations);
  const firing = alerts.filter((alert) => !isResolved(alert));
  for (const alert of [...firing, ...alerts.filter(isResolved)]) {
    yield [
      stateLine(alert, sender, annotationLinks(alert.object('annotations'), annotations)),
      labelLine(alert.object('labels').pairs((name) => !labels.has(name))),
      valueLine(alert),
      annotationLines(alert.object('annotations'), annotations),
    ]
      .filter((lines) => lines !== '')
      .join('\n');
  }
  const missing = Number(payload.line('truncatedAlerts'));
  if (missing > 0) yield `_${sender.name} left out ${missing} more ${missing === 1 ? 'alert' : 'alerts'}._`;
  const home = payload.url('externalURL');
  const links = [...annotationLinks(annotations), ...(home === '' ? [] : [linkHtml(home, sender.name)])];
  if (links.length > 0) yield lineMarkdown(links.join(' · '));
}

function isResolved(alert: Payload): boolean {
  return alert.is('status', 'resolved');
}

function nameOf(payload: Payload): string {
  const grouped = () =>
    payload
      .object('groupLabels')
      .pairs()
      .map(([, text]) => text);
  const common = payload.object('commonLabels').line('alertname');
  return common || grouped().join(', ') || payload.line('receiver') || 'Alerts';
}

function stateLine(alert: Payload, { links }: AlertSender, ofAnnotations: readonly string[]): string {
  const since = timeOf(alert.line(isResolved(alert) ? 'endsAt' : 'startsAt'));
  const state = isResolved(alert)
    ? `✅ <b>Resolved</b>${since && ` at ${since}`}`
    : `🔥 <b>Firing</b>${since && ` since ${since}`}`;
  const targets = Object.entries(links).map(([field, label]) => ({ url: alert.url(field), label }));
  const anchors = targets.filter(({ url }) => url !== '').map(({ url, label }) => linkHtml(url, label));
  return lineMarkdown([state, ...anchors, ...ofAnnotations].join(' · '));
}

/** Returns `cluster: eu · severity: page`. */
function labelLine(pairs: readonly [string, string][]): string {
  return lineMarkdown(pairs.map(pairHtml).join(' · '));
}

function valueLine(alert: Payload): string {
  const values = alert.object('values').pairs();
  if (values.length > 0) return labelLine(values);
  const text = alert.line('valueString');
  return text === '' ? '' : lineMarkdown(pairHtml(['value', text]));
}

function pairHtml([name, text]: [string, string]): string {
  return `${html(shortened(name, MAX_NAME_CHARACTERS))}: ${html(shortened(text, MAX_LABEL_CHARACTERS))}`;
}

/** Returns the summary and the description as text, and other annotations that are no links as a list. */
function annotationLines(annotations: Payload, common?: Payload): string {
  const texts = SUMMARIES.filter((name) => !common?.has(name)).map((name) => plainMarkdown(annotations.text(name)));
  const others = otherAnnotations(annotations, common).filter(([, text]) => !isWebUrl(text));
  const lines = others.map(([name, text]) =>
    lineMarkdown(`${html(shortened(name, MAX_NAME_CHARACTERS))}: ${html(shortened(text, 2_000))}`),
  );
  return [...texts, listMarkdown(lines)].filter((lines) => lines !== '').join('\n');
}

/** Returns the annotations that are links, such as a runbook. */
function annotationLinks(annotations: Payload, common?: Payload): string[] {
  return otherAnnotations(annotations, common)
    .filter(([, text]) => isWebUrl(text))
    .map(([name, url]) =>
      linkHtml(url, html(shortened(name, MAX_NAME_CHARACTERS).replace(/[_ ]?url$/i, '') || 'link')),
    );
}

function otherAnnotations(annotations: Payload, common?: Payload): [string, string][] {
  return annotations.pairs((name) => !SUMMARIES.includes(name) && !common?.has(name));
}

/** Returns a time to the minute, or '' for none: senders write year 1 for an alert that has not ended. */
function timeOf(written: string): string {
  const at = parseDateTime(written);
  return at === null || at < 0 ? '' : `${isoTime(at).slice(0, 16).replace('T', ' ')} UTC`;
}

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
