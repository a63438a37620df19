import { styleText } from 'node:util';
import { printable } from '../../platform/errors.ts';

const MAX_MESSAGE_CHARACTERS = 1_000;

/** `2026-03-01 10:30:00`, in the time zone of the terminal. Made for the first record, since most logs are JSON. */
let localTime: Intl.DateTimeFormat | undefined;

const LEVEL_STYLES = { debug: 'dim', info: 'dim', warn: 'yellow', error: 'red' } as const;

type Style = (typeof LEVEL_STYLES)[keyof typeof LEVEL_STYLES];

interface ErrorFields {
  readonly type?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

interface TextRecord {
  readonly level: keyof typeof LEVEL_STYLES;
  readonly time?: string;
  readonly msg: string;
  readonly err?: unknown;
  readonly [field: string]: unknown;
}

/** Turns a record of the log (JSON) into text for a terminal, which no character of a request or error can control. */
export function recordText(json: string, { colors }: { colors: boolean }): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as TextRecord;
  const style = (name: Style, text: string) => (colors ? styleText(name, text, { validateStream: false }) : text);
  const [message, rest] = msg === 'request' ? requestText(fields) : [msg, fields];
  localTime ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
  const at = time === undefined ? [] : [style('dim', localTime.format(new Date(time)))];
  const head = [...at, style(LEVEL_STYLES[level], level.padEnd(5))];
  const line = [...head, printable(message, MAX_MESSAGE_CHARACTERS), ...fieldTexts(rest)].join(' ');
  const details = err === undefined ? [] : errorLines(err).map((each) => `\n  ${style('dim', each)}`);
  return line + details.join('');
}

/** Returns `POST /api/v1/hubs 201 3.2 ms` and, if the request failed, what helps to find out why. */
function requestText({ method, path, status, durationMs, ...rest }: Record<string, unknown>) {
  const { error, address, requestId, keyId, userId } = rest;
  const reasons = Number(status) >= 400 ? { error, address, keyId, userId, requestId } : {};
  return [`${method} ${path} ${status} ${durationMs} ms`, reasons] as const;
}

function fieldTexts(fields: object): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${printable(name)}=${valueText(value)}`);
}

function valueText(value: unknown): string {
  return printable(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value));
}

function errorLines(err: unknown, label = ''): string[] {
  if (typeof err !== 'object' || err === null) return [label + valueText(err)];
  const { type, message, stack, cause, errors = [] } = err as ErrorFields;
  if (message === undefined) return [label + valueText(err)];
  return [
    ...`${label}${stack || `${type}: ${message}`}`.split('\n').map((line) => printable(line)),
    ...(cause === undefined ? [] : errorLines(cause, 'Cause: ')),
    ...errors.flatMap((each) => errorLines(each, 'One of: ')),
  ];
}
