import { CreatedMessage, PUBLIC_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { parseJson, readJsonText } from '../../http/read-body.ts';
import type { LiveDeps } from '../../live/live-server.ts';
import { AppError } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import { createMessage } from '../create-post.ts';
import { created, originOf, publicOperation } from '../public-operation.ts';
import { alertmanagerParts } from './alertmanager.ts';
import { composeMessage, type Translate } from './compose-message.ts';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from './example-payloads.ts';
import { grafanaParts } from './grafana.ts';
import { slackParts } from './slack.ts';

/** How long a key waits after each conversion of a payload, as a multiple of the time that it took. */
const REST = 4;
/** A conversion in less time needs no rest. */
const SHORT_MS = 5;
const MAX_WAIT_MS = 10_000;

const DESCRIPTION =
  'Creates a message from the payload of a sender that your team already runs. Fields that Hub does not know are ' +
  'ignored, and a payload that it does not understand is shown as JSON, so any valid JSON is accepted. A message that ' +
  'would be too long is truncated and says so. Text in the payload stays text: it mentions no member, and adds only the ' +
  'formatting and the links that the format has.';

/**
 * The relay: routes for senders that cannot send the fields of a message but can set the `Authorization` header. Apart
 * from the body, each works like `POST /messages`.
 */
export function relayRoutes(deps: LiveDeps) {
  const textOf = conversions(deps);
  return new Elysia({ name: 'relay', prefix: `${PUBLIC_API_PATH}/relay` })
    .post(
      '/slack',
      async ({ request, status }) => {
        const text = await textOf(request, await readJsonText(request, 'payload'), [slackParts, 'Slack']);
        return status(201, created(deps, request, await createMessage(deps, originOf(request), { text })));
      },
      publicOperation({
        operationId: 'relaySlack',
        summary: 'Relay a message for Slack',
        description: DESCRIPTION,
        scope: 'messages:create',
        body: anyJson('The JSON for a Slack incoming webhook: `text`, `blocks` or `attachments`.', SLACK_EXAMPLE),
        formField: 'payload',
        created: CreatedMessage,
      }),
    )
    .post(
      '/alertmanager',
      async ({ request, status }) => {
        const text = await textOf(request, await readJsonText(request), [alertmanagerParts, 'Alertmanager']);
        return status(201, created(deps, request, await createMessage(deps, originOf(request), { text })));
      },
      publicOperation({
        operationId: 'relayAlertmanager',
        summary: 'Relay a notification from Alertmanager',
        description: DESCRIPTION,
        scope: 'messages:create',
        body: anyJson('The body of an Alertmanager webhook, version 4.', ALERTMANAGER_EXAMPLE),
        created: CreatedMessage,
      }),
    )
    .post(
      '/grafana',
      async ({ request, status }) => {
        const text = await textOf(request, await readJsonText(request), [grafanaParts, 'Grafana']);
        return status(201, created(deps, request, await createMessage(deps, originOf(request), { text })));
      },
      publicOperation({
        operationId: 'relayGrafana',
        summary: 'Relay a notification from Grafana',
        description: DESCRIPTION,
        scope: 'messages:create',
        body: anyJson('The body of a webhook contact point of Grafana.', GRAFANA_EXAMPLE),
        created: CreatedMessage,
      }),
    );
}

/**
 * Returns a function that parses and converts payloads, one of each key at a time, since a parsed payload can take 25
 * times the memory of its text. Nothing else runs meanwhile, so a key whose payloads take long gets only a part of the
 * time.
 */
function conversions({ clock }: Pick<LiveDeps, 'clock'>) {
  const gate = new FairGate({
    clock,
    perCaller: 1,
    total: Number.POSITIVE_INFINITY,
    maxWaitMs: MAX_WAIT_MS,
    busy: () =>
      new AppError('unavailable', 'This key has too many payloads waiting. Send fewer at the same time.', {
        'retry-after': '3',
      }),
  });
  return async (request: Request, json: string, [translate, sender]: [Translate, string]): Promise<string> => {
    const release = await gate.enter(originOf(request).key.id, request);
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

/** The schema of a body that can be any JSON. */
function anyJson(description: string, example: object) {
  return Type.Unknown({ description, examples: [example] });
}
