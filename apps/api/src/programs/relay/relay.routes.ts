import { LIMITS } from '@hub/contract';
import { codePoints } from '../../http/field-rules.ts';
import { servePublic } from '../../http/operations/serve.ts';
import { parseJson } from '../../http/read-body.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { LiveDeps } from '../../live/live-server.ts';
import { tooBusy } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import { created, createMessage, originOf } from '../public-api.ts';
import { alertmanagerParts, grafanaParts } from './alerts.ts';
import { Payload } from './payload.ts';
import { codeBlockMarkdown } from './relay-markdown.ts';
import { slackParts } from './slack.ts';

/** How long a key waits after each conversion of a payload, as a multiple of the time that it took. */
const REST = 4;
/** A conversion in less time needs no rest. */
const SHORT_MS = 5;
const MAX_WAIT_MS = 10_000;

/** Routes for senders that cannot send the fields of a message. Apart from the body, each is like `POST /messages`. */
export function relayRoutes(deps: LiveDeps) {
  const textOf = conversions(deps);
  const relay = (translate: Translate, sender: string) => {
    return async ({ request, context, body }: { request: Request; context: RequestContext; body: string }) => {
      const origin = originOf(context);
      const text = await textOf({ request, keyId: origin.key.id }, body, [translate, sender]);
      return created(deps, context, await createMessage(deps, origin, { text }));
    };
  };
  return servePublic({
    'POST /relay/slack': relay(slackParts, 'Slack'),
    'POST /relay/alertmanager': relay(alertmanagerParts, 'Alertmanager'),
    'POST /relay/grafana': relay(grafanaParts, 'Grafana'),
  });
}

/** Returns a function that converts payloads, one of each key at a time, since one can take 25 times its size. */
function conversions({ clock }: Pick<LiveDeps, 'clock'>) {
  const gate = new FairGate({
    clock,
    perCaller: 1,
    maxWaitMs: MAX_WAIT_MS,
    busy: () => tooBusy('This key has too many payloads waiting. Send fewer at the same time.'),
  });
  return async (
    { request, keyId }: { request: Request; keyId: string },
    json: string,
    [translate, sender]: [Translate, string],
  ): Promise<string> => {
    const release = await gate.enter(keyId, request);
    const start = clock.monotonic();
    try {
      return composeMessage(translate, parseJson(json), sender);
    } finally {
      const ms = clock.monotonic() - start;
      if (ms < SHORT_MS) release();
      else void clock.sleep(REST * ms).then(release);
    }
  };
}

const MOST = LIMITS.messageTextCodePoints;
const truncated = (reason: string): string => `\n\n_Hub truncated this message: ${reason}._`;
const TOO_LONG = truncated(`it has more than ${MOST.toLocaleString('en')} characters`);
const TOO_MUCH = truncated('its payload is too large');
const SEPARATOR = '\n\n';

const MAX_JSON_DEPTH = 12;

/** Reads a payload as parts of a message in Markdown. A payload that it does not understand has no parts. */
export type Translate = (payload: Payload) => Iterable<string>;

/**
 * Returns the text of a message. A payload that `translate` does not understand is shown as JSON. A message over the
 * limit, or of which parts were not read, ends with the last line that fits, and says so.
 */
export function composeMessage(translate: Translate, json: unknown, sender: string): string {
  const payload = Payload.of(json);
  return joined(translate(payload), payload) || joined([unknownPayload(json, sender)]);
}

function joined(parts: Iterable<string>, payload?: Payload): string {
  let text = '';
  let left = MOST - TOO_LONG.length;
  for (const part of parts) {
    if (part !== '') {
      const added = text === '' ? part : SEPARATOR + part;
      const size = codePoints(added);
      if (size > left) {
        const start = leadingLines(part, left - SEPARATOR.length);
        return `${text}${start === '' || text === '' ? '' : SEPARATOR}${start}${TOO_LONG}`;
      }
      text += added;
      left -= size;
    }
    if (payload?.isUsedUp) break;
  }
  return payload?.isTruncated && text !== '' ? text + TOO_MUCH : text;
}

/** Returns as many lines of Markdown as fit. If they end within a code block, the block is closed. */
function leadingLines(markdown: string, maxCodePoints: number): string {
  const lines: string[] = [];
  let left = maxCodePoints;
  let fence = '';
  for (const line of markdown.split('\n')) {
    const [, marks = ''] = /^((?:> )?`{3,})/.exec(line) ?? [];
    const isEnd = fence !== '' && line === fence;
    const next = isEnd ? '' : fence || marks;
    left -= codePoints(line) + 1;
    if (left < (next === '' ? 0 : next.length + 1)) break;
    lines.push(line);
    fence = next;
  }
  if (fence !== '') lines.push(fence);
  return lines.join('\n');
}

function unknownPayload(payload: unknown, sender: string): string {
  const json = JSON.stringify(beginning(payload), null, 2);
  // More would be truncated, but splitting it into lines takes time.
  return `**Unknown ${sender} payload**\n\n${codeBlockMarkdown(json.slice(0, 2 * MOST), 'json')}`;
}

/** Copies a JSON value up to the end of the message. Values that are nested too deeply are empty in it. */
function beginning(json: unknown): unknown {
  let left = MOST;
  return copy(json, MAX_JSON_DEPTH);

  function copy(value: unknown, levels: number): unknown {
    left -= 1;
    if (typeof value !== 'object' || value === null) return value;
    if (levels === 0) return '…';
    if (Array.isArray(value)) return value.slice(0, Math.max(0, left)).map((element) => copy(element, levels - 1));
    const fields = Object.entries(value).slice(0, Math.max(0, left));
    return Object.fromEntries(fields.map(([name, inner]) => [name, copy(inner, levels - 1)]));
  }
}
