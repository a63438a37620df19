import { RATE_LIMIT } from '@hub/contract';
import { errors } from './openapi-errors.ts';
import { namedSchemas } from './openapi-named-schemas.ts';
import { securitySchemes } from './openapi-security.ts';

/** The parts of the OpenAPI document that have a name. */
export const components = {
  schemas: namedSchemas,
  responses: errors,
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
    Upgrade: {
      description: 'What to ask for.',
      required: true,
      schema: { type: 'string', const: 'websocket' },
    },
    SetCookie: {
      description:
        'The cookie of the session, `HttpOnly` and `SameSite=Lax`; with `Max-Age=0` if it is over. Ending a session that is not that of the request sets none.',
      schema: { type: 'string', examples: ['hub_session=hub_ses_…; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax'] },
    },
  },
  securitySchemes,
};
