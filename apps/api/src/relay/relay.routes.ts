import { CreatedMessage, PUBLIC_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { readJsonBody } from '../http/read-body.ts';
import type { LiveDeps } from '../live/live-server.ts';
import { createMessage } from '../posts/create-post.ts';
import { created, originOf, publicOperation } from '../public-api/public-operation.ts';
import { alertmanagerParts } from './alertmanager.ts';
import { composeMessage } from './compose-message.ts';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from './example-payloads.ts';
import { grafanaParts } from './grafana.ts';
import { slackParts } from './slack.ts';

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
  return new Elysia({ name: 'relay', prefix: `${PUBLIC_API_PATH}/relay` })
    .post(
      '/slack',
      async ({ request, status }) => {
        const text = composeMessage(slackParts, await readJsonBody(request, 'payload'), 'Slack');
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
        const text = composeMessage(alertmanagerParts, await readJsonBody(request), 'Alertmanager');
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
        const text = composeMessage(grafanaParts, await readJsonBody(request), 'Grafana');
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

/** The schema of a body that can be any JSON. */
function anyJson(description: string, example: object) {
  return Type.Unknown({ description, examples: [example] });
}
