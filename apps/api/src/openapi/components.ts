import { RATE_LIMIT } from '@hub/contract';
import { errors } from './errors.ts';
import { namedSchemas } from './named-schemas.ts';
import { securitySchemes } from './security.ts';

/** The named components of the OpenAPI document. */
export const components = {
  schemas: namedSchemas,
  responses: errors,
  headers: {
    RequestId: {
      description: 'Identifies this request in the server log. Give it to your admin when you report a problem.',
      required: true,
      schema: { type: 'string', examples: ['req_01KA3T8Q6V5M0G7ZB4W2N9RXEC'] },
    },
    RateLimitPolicy: {
      description: 'The limit of the key: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
      required: true,
      schema: { type: 'string', const: `"default";q=${RATE_LIMIT.requests};w=${RATE_LIMIT.windowSeconds}` },
    },
    RateLimit: {
      description: '`r` requests are left; the oldest counted request leaves the window in `t` seconds.',
      required: true,
      schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$', examples: ['"default";r=59;t=60'] },
    },
    RetryAfter: {
      description: 'Whole seconds until the block of the key ends. Present only while the key is blocked.',
      schema: { type: 'integer', minimum: 1, maximum: RATE_LIMIT.blockSeconds, examples: [247] },
    },
    WwwAuthenticate: {
      description: 'How to authenticate.',
      required: true,
      schema: { type: 'string', const: 'Bearer' },
    },
    Allow: {
      description: 'The methods that the path accepts.',
      required: true,
      schema: { type: 'string', examples: ['POST'] },
    },
    Upgrade: {
      description: 'The protocol to upgrade to.',
      required: true,
      schema: { type: 'string', const: 'websocket' },
    },
    SetCookie: {
      description:
        'The session cookie, `HttpOnly` and `SameSite=Lax`; with `Max-Age=0` when the session has ended. Not set when the ended session is not the session of the request.',
      schema: { type: 'string', examples: ['hub_session=hub_ses_…; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax'] },
    },
  },
  securitySchemes,
};
