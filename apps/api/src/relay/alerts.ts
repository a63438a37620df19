import { isObject } from '@hub/contract/blocks/block-problem';
import { isoTime, parseDateTime } from '../core/time.ts';
import { listIn, type Payload, pairsIn, textIn } from './payload.ts';
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

/**
 * The parts of a notification that Alertmanager and Grafana share: Grafana's webhook has the format of Alertmanager's,
 * version 4, with more fields.
 */

const MAX_LABELS = 40;
const MAX_NAME_CHARACTERS = 100;
const MAX_LABEL_CHARACTERS = 300;
/** Annotations that need no name before their text. */
const SUMMARIES = ['summary', 'title', 'message', 'description'];

/** A sender of alerts: its name, and the fields of an alert that are links, with their labels. */
export interface AlertSender {
  readonly name: string;
  readonly links: Readonly<Record<string, string>>;
}

interface AlertGroup {
  readonly payload: Payload;
  readonly alerts: readonly Payload[];
}

/** Returns a notification, or `null` if the payload is none. */
export function alertGroup(payload: unknown): AlertGroup | null {
  if (!isObject(payload)) return null;
  const alerts = listIn(payload, 'alerts');
  return alerts.length === 0 ? null : { payload, alerts };
}

/** Returns the headline: `🔥 HighLatency: 2 firing, 1 resolved`. `title` replaces the name and the counts. */
export function headline({ payload, alerts }: AlertGroup, title = ''): string {
  const resolved = alerts.filter(isResolved).length;
  const icon = resolved === alerts.length ? '✅' : '🔥';
  const counts = [`${alerts.length - resolved} firing`, `${resolved} resolved`].filter(
    (count) => !count.startsWith('0'),
  );
  const text = title || `${nameOf(payload)}: ${counts.join(', ')}`;
  return lineMarkdown(boldHtml(`${icon} ${shortened(text, MAX_LABEL_CHARACTERS)}`));
}

/** Yields what all alerts share, then each alert, firing ones first, then links and a count of missing alerts. */
export function* alertParts({ payload, alerts }: AlertGroup, sender: AlertSender): Generator<string> {
  const [labels, annotations] = [pairsIn(payload, 'commonLabels'), pairsIn(payload, 'commonAnnotations')];
  const isCommon = namesIn([...labels.map(([name]) => `label ${name}`), ...annotations.map(([name]) => name)]);
  yield labelLine(labels.filter(([name]) => name !== 'alertname'));
  yield annotationLines(annotations);
  const firing = alerts.filter((alert) => !isResolved(alert));
  for (const alert of [...firing, ...alerts.filter(isResolved)]) {
    yield [
      stateLine(alert, sender),
      labelLine(pairsIn(alert, 'labels').filter(([name]) => !isCommon(`label ${name}`))),
      valueLine(alert),
      annotationLines(pairsIn(alert, 'annotations').filter(([name]) => !isCommon(name))),
    ]
      .filter((lines) => lines !== '')
      .join('\n');
  }
  const missing = Number(textIn(payload, 'truncatedAlerts'));
  if (missing > 0) yield `_${sender.name} left out ${missing} more ${missing === 1 ? 'alert' : 'alerts'}._`;
  const home = textIn(payload, 'externalURL');
  if (isWebUrl(home)) yield lineMarkdown(linkHtml(home, sender.name));
}

function isResolved(alert: Payload): boolean {
  return textIn(alert, 'status') === 'resolved';
}

function nameOf(payload: Payload): string {
  const common = textIn(Object.fromEntries(pairsIn(payload, 'commonLabels')), 'alertname');
  const grouped = pairsIn(payload, 'groupLabels').map(([, text]) => text);
  return common || grouped.join(', ') || textIn(payload, 'receiver') || 'Alerts';
}

/** Returns the state, since when, and the links. */
function stateLine(alert: Payload, { links }: AlertSender): string {
  const since = timeOf(textIn(alert, isResolved(alert) ? 'endsAt' : 'startsAt'));
  const state = isResolved(alert)
    ? `✅ <b>Resolved</b>${since && ` at ${since}`}`
    : `🔥 <b>Firing</b>${since && ` since ${since}`}`;
  const targets = Object.entries(links).map(([field, label]) => ({ url: textIn(alert, field), label }));
  const shown = targets.filter(({ url }) => isWebUrl(url)).map(({ url, label }) => linkHtml(url, label));
  return lineMarkdown([state, ...shown].join(' · '));
}

/** Returns `cluster: eu · severity: page`. */
export function labelLine(pairs: readonly [string, string][]): string {
  return lineMarkdown(pairs.slice(0, MAX_LABELS).map(pairHtml).join(' · '));
}

/** Returns the values of the expressions in a rule of Grafana. */
function valueLine(alert: Payload): string {
  const values = pairsIn(alert, 'values');
  if (values.length > 0) return labelLine(values);
  const text = textIn(alert, 'valueString');
  return text === '' ? '' : lineMarkdown(pairHtml(['value', text]));
}

function pairHtml([name, text]: [string, string]): string {
  return `${html(shortened(name, MAX_NAME_CHARACTERS))}: ${html(shortened(text, MAX_LABEL_CHARACTERS))}`;
}

/** Returns the summary and the description as text, and other annotations, such as a runbook, as a list. */
function annotationLines(pairs: readonly [string, string][]): string {
  const texts = SUMMARIES.flatMap((wanted) => pairs.filter(([name]) => name === wanted).map(([, text]) => text));
  const others = pairs.filter(([name]) => !SUMMARIES.includes(name));
  const list = listMarkdown(others.slice(0, MAX_LABELS).map(annotationLine));
  return [...texts.map((text) => plainMarkdown(text)), list].filter((lines) => lines !== '').join('\n');
}

function annotationLine([name, text]: [string, string]): string {
  if (!isWebUrl(text))
    return lineMarkdown(`${html(shortened(name, MAX_NAME_CHARACTERS))}: ${html(shortened(text, 2_000))}`);
  return lineMarkdown(linkHtml(text, html(shortened(name, MAX_NAME_CHARACTERS).replace(/[_ ]?url$/i, '') || 'link')));
}

/** Returns a time to the minute, or '' for none: senders write year 1 for an alert that has not ended. */
function timeOf(written: string): string {
  const at = parseDateTime(written);
  return at === null || at < 0 ? '' : `${isoTime(at).slice(0, 16).replace('T', ' ')} UTC`;
}

function namesIn(names: readonly string[]): (name: string) => boolean {
  const set = new Set(names);
  return (name) => set.has(name);
}
