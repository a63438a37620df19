import {
  Actor,
  ApiKey,
  AuditEntry,
  BlockSchema,
  CreateHubBody,
  CreateMessageBody,
  CreateNoteBody,
  CreateTodoBody,
  ErrorBody,
  Hub,
  IssuedKey,
  IssueKeyBody,
  PrioritySchema,
  RATE_LIMIT,
  ScopeSchema,
  ServerInfo,
  ServerStatus,
  SucceedKeyBody,
} from '@hub/contract';
import { ListItemObject } from '@hub/contract/blocks/data-schemas';
import { refusals } from './openapi-refusals.ts';

/**
 * The parts of the OpenAPI document that have a name. Where an operation holds one of these schemas, the document
 * points at it instead of repeating it.
 */
export const components = {
  schemas: {
    Error: ErrorBody,
    CreateMessage: CreateMessageBody,
    CreateNote: CreateNoteBody,
    CreateTodo: CreateTodoBody,
    Priority: PrioritySchema,
    Block: BlockSchema,
    ListItem: ListItemObject,
    Hub,
    HubName: CreateHubBody,
    Scope: ScopeSchema,
    ApiKey,
    IssuedKey,
    IssueKey: IssueKeyBody,
    SucceedKey: SucceedKeyBody,
    Actor,
    AuditEntry,
    ServerInfo,
    ServerStatus,
  },
  responses: refusals,
  headers: {
    RequestId: {
      description: 'Names this request in the log of the server. Quote it to your admin.',
      required: true,
      schema: { type: 'string', examples: ['req_01KA3T8Q6V5M0G7ZB4W2N9RXEC'] },
    },
    RateLimitPolicy: {
      description: 'The limit of the key: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
      required: true,
      schema: { type: 'string', const: `"default";q=${RATE_LIMIT.requests};w=${RATE_LIMIT.windowSeconds}` },
    },
    RateLimit: {
      description: '`r` requests are left; the next one leaves the window in `t` seconds.',
      required: true,
      schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$', examples: ['"default";r=59;t=60'] },
    },
    RetryAfter: {
      description: 'Whole seconds until the key is let in again. Only if the key is blocked.',
      schema: { type: 'integer', minimum: 1, maximum: RATE_LIMIT.blockSeconds, examples: [247] },
    },
    WwwAuthenticate: {
      description: 'How to authenticate.',
      required: true,
      schema: { type: 'string', const: 'Bearer' },
    },
    Allow: {
      description: 'The methods that the path takes.',
      required: true,
      schema: { type: 'string', examples: ['POST'] },
    },
  },
  securitySchemes: {
    key: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API key (`hub_live_…`), as `hubctl keys issue` shows it once. It is bound to one Hub and its scopes.',
    },
  },
};
