import { servePublic } from '../../http/operations/serve.ts';
import { parseJson } from '../../http/read-body.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { LiveDeps } from '../../live/live-server.ts';
import { tooBusy } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import { created, createMessage, originOf } from '../public-api.ts';
import { alertmanagerParts } from './alerts.ts';
import { composeMessage, type Translate } from './compose-message.ts';
import { grafanaParts } from './grafana.ts';
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
    total: Number.POSITIVE_INFINITY,
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
