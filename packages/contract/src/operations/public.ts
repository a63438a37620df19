import { Type } from '@sinclair/typebox';
import * as wire from '../index.ts';
import type { WireKind } from '../item-kinds.ts';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from '../relay-payloads.ts';
import type { Scope } from '../scopes.ts';
import { uploadedFile } from './files.ts';
import type { OperationDeclaration } from './operation.ts';

/**
 * The declaration of an operation of the public API, under its method and path after `PUBLIC_API_PATH`. It requires a
 * key with the scope, and responds with a 201.
 */
export interface PublicOperationDeclaration
  extends Pick<
    OperationDeclaration,
    'id' | 'summary' | 'description' | 'noun' | 'query' | 'mediaTypes' | 'maxBytes' | 'success'
  > {
  /** `any`: every key may do it. */
  readonly scope: Scope | 'any';
  /** The kind of item that it creates, if it creates one. */
  readonly kind?: WireKind;
  /** The body. If it can be any JSON, the handler reads it. */
  readonly body: NonNullable<OperationDeclaration['body']>;
  /** The field of a form that may contain the JSON instead. */
  readonly formField?: string;
}

const message = {
  scope: 'messages:create',
  kind: 'message',
  success: wire.Created(wire.CreatedMessage),
} as const satisfies Partial<PublicOperationDeclaration>;

const relay = {
  ...message,
  description:
    'Creates a message from the payload of a sender that your team already runs. Fields that Hub does not know are ' +
    'ignored, and a payload that it does not understand is shown as JSON, so any valid JSON is accepted. A message that ' +
    'would be too long is truncated and says so. Text in the payload stays text: it mentions no member, and adds only ' +
    'the formatting and the links that the format has.',
} as const;

const anyJson = (description: string, example: object) => Type.Unknown({ description, examples: [example] });

/** The operations of the public API, which only create items. */
export const publicOperations = {
  'POST /messages': {
    ...message,
    id: 'createMessage',
    summary: 'Create a message',
    body: wire.CreateMessageBody,
    noun: 'a message',
  },
  'POST /notes': {
    id: 'createNote',
    summary: 'Create a note',
    scope: 'notes:create',
    kind: 'note',
    body: wire.CreateNoteBody,
    noun: 'a note',
    success: wire.Created(wire.CreatedNote),
  },
  'POST /todos': {
    id: 'createTodo',
    summary: 'Create a to-do',
    scope: 'todos:create',
    kind: 'todo',
    body: wire.CreateTodoBody,
    noun: 'a to-do',
    success: wire.Created(wire.CreatedTodo),
  },
  'POST /files': { ...uploadedFile, id: 'uploadFile', scope: 'any', success: wire.Created(wire.UploadedFile) },
  'POST /relay/slack': {
    ...relay,
    id: 'relaySlack',
    summary: 'Relay a message for Slack',
    body: anyJson('The JSON for a Slack incoming webhook: `text`, `blocks` or `attachments`.', SLACK_EXAMPLE),
    formField: 'payload',
  },
  'POST /relay/alertmanager': {
    ...relay,
    id: 'relayAlertmanager',
    summary: 'Relay a notification from Alertmanager',
    body: anyJson('The body of an Alertmanager webhook, version 4.', ALERTMANAGER_EXAMPLE),
  },
  'POST /relay/grafana': {
    ...relay,
    id: 'relayGrafana',
    summary: 'Relay a notification from Grafana',
    body: anyJson('The body of a webhook contact point of Grafana.', GRAFANA_EXAMPLE),
  },
} as const satisfies Record<string, PublicOperationDeclaration>;

export type PublicOperation = keyof typeof publicOperations;

/** Returns the path of an operation, such as `/api/public/v1/messages`. */
export const publicPath = (operation: string) => operation.replace('POST ', wire.PUBLIC_API_PATH);

/** The operations of the public API by path. */
export const publicPaths: ReadonlyMap<string, PublicOperationDeclaration> = new Map(
  Object.entries(publicOperations).map(([operation, declared]) => [publicPath(operation), declared]),
);
