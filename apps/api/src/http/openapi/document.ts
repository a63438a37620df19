import { swagger } from '@elysiajs/swagger';
import * as contract from '@hub/contract';

import { ListItemObject, NestedItems } from '@hub/contract/blocks/data-schemas';
import { KindGuard, type TSchema } from '@sinclair/typebox';
import { type DocumentDecoration, Elysia } from 'elysia';
import { errorExamples, errors } from './errors.ts';
import { addExamples, describeBodies, type OpenApiDocument, readableSchemas } from './schemas.ts';
import { securitySchemes } from './security.ts';

export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: DocumentDecoration };
}

/** Creates the OpenAPI 3.1 document, in an app of its own: the plug-in's page loads scripts from another host. */
export async function openApiDocument(routes: readonly DescribedRoute[], version: string): Promise<object> {
  const describing = new Elysia().use(
    swagger({
      path: '/page',
      specPath: '/document',
      exclude: ['/page', '/document'],
      documentation: {
        // The plug-in types this as 3.0, but writes whatever it is given.
        openapi: '3.1.0' as never,
        info: { title: 'Hub', version, description: INTRODUCTION },
        servers: [{ url: '/', description: 'This server' }],
        tags,
        components: components as never,
      },
    }),
  );
  for (const { method, path, hooks } of routes) {
    if (hooks.detail?.operationId === undefined) continue;
    describing.route(method, path, () => null, { detail: hooks.detail });
  }
  const response = await describing.handle(new Request('http://localhost/document'));
  const document = (await response.json()) as OpenApiDocument;
  for (const [path, operations] of Object.entries(document.paths)) {
    const tag = tagOf(path);
    for (const operation of Object.values(operations)) if (tag !== undefined) operation.tags = [tag];
  }
  addExamples(document, errorExamples);
  const readable = readableSchemas(document, NestedItems);
  describeBodies(readable);
  return readable;
}

/** The introduction to the OpenAPI document, in Markdown. */
export const INTRODUCTION = `## The public API

Programs post **messages, notes and to-dos** into one Hub per API key.

- Send the key as \`Authorization: Bearer hub_live_…\`, and nowhere else. Keys are not for browsers: there are no CORS headers.
- One item per request. There is no deduplication: a repeated request creates a second item.
- A 201 means that the item is on disk.
- A key can send ${contract.RATE_LIMIT.requests} requests in any ${contract.RATE_LIMIT.windowSeconds} seconds; one more blocks it for ${contract.RATE_LIMIT.blockSeconds} seconds.
- Bodies are JSON in UTF-8 (\`application/json\` or a type that ends in \`+json\`).
- Unknown fields are rejected, so that a misspelled field does not lose a due date. \`null\`, blank text and an empty list count as absent.
- Text must be well-formed Unicode: lone surrogates, as in \`"\\ud800"\`, and NUL (U+0000) are rejected, also in blocks.
- Lengths are counted in characters (Unicode code points). Nothing is ever truncated.
- The operations under \`/relay\` accept what senders that your team already runs send, in any form; the rules for fields do not apply to them.
- Every error has the same four fields; every response carries \`X-Request-Id\`.
- Changes within \`v1\` are additive only.

## The workspace API

The API for users is under \`/api/v1\`. The rules for bodies, lengths and errors above also apply here.

- A browser signs in (\`POST /api/v1/session\`) and is identified by its cookie. Requests that write with a cookie must carry the \`Origin\` of this server, which browsers add automatically.
- A program sends a personal access token as \`Authorization: Bearer hub_pat_…\`, and no \`Origin\`.
- The socket in the data directory of the server, which \`hubctl\` uses, requires no login: its caller is the local admin, who has no account.
- Users without access to a Hub get 404 for everything in it, as if it did not exist. An admin who is not a member gets 403 with a message that explains how to join.
- Lists are newest first, with at most ${contract.LIMITS.pageItems} items per page. Pass \`next\`, unless it is \`null\`, as \`?before=\` to get the next page (or as \`?after=\`, if you used that). A page of items has 256 KiB of text at most, or a single item, so it can be short although more follows: only \`next\` tells.
- A user can send at most 1,200 requests in any 60 seconds (one more is 429 with \`Retry-After\`), and have at most 20 live connections, ${contract.LIMITS.accessTokens} access tokens and ${contract.LIMITS.sessions} sessions. Two pages of lists are read at a time for a user: further requests wait, for at most 10 seconds (503 with \`Retry-After\`). A third export at the same time is 429; a Hub has at most 100 active keys. The server may be configured differently; the local admin is not limited.
- In a \`PATCH\`, omitted fields stay as they are, and \`null\` clears a field.
- Times are ISO 8601 in UTC with milliseconds. Ids are opaque.`;

interface Chapter {
  readonly name: string;
  readonly description: string;
  readonly paths: RegExp;
}

/** The chapters of the API docs, in order. An operation is in the first chapter whose pattern matches its path. */
const CHAPTERS: readonly Chapter[] = [
  { name: 'Public API', description: 'Create-only, for programs with an API key.', paths: /^\/api\/public\/v1\// },
  {
    name: 'Stream and search',
    description:
      'Messages, notes and to-dos from all Hubs of the caller in one feed, mentions of the caller, and search.',
    paths: /^\/api\/v1\/(stream(\/keys)?|mentions(\/read)?|search)$/,
  },
  {
    name: 'Items',
    description:
      'Messages, notes and to-dos by users and keys: write, reply, edit, check off, react and convert, and their files.',
    paths: /^\/api\/v1\/(hubs\/\{hubId\}\/)?(messages|notes|todos|items|files)(\/|$)/,
  },
  {
    name: 'Live',
    description: 'Live changes in Hubs: every event once and in order, over one WebSocket.',
    paths: /^\/api\/v1\/live$/,
  },
  {
    name: 'Hubs',
    description: 'Each Hub has one conversation, one notes bucket, one to-do bucket, and its members.',
    paths: /^\/api\/v1\/hubs(\/|$)/,
  },
  {
    name: 'Keys',
    description:
      'API keys, each bound to one Hub: issue, rotate, replace and revoke them, and remove what they posted.',
    paths: /^\/api\/v1\/(keys|removals)(\/|$)/,
  },
  {
    name: 'Notifications',
    description: 'What you are notified about, and the browsers that receive push notifications.',
    paths: /^\/api\/v1\/me\/(notifications|push-subscriptions)(\/|$)/,
  },
  {
    name: 'Signing in',
    description: 'The session of a browser, your account, its sessions and its personal access tokens.',
    paths: /^\/api\/v1\/(session|me|device-logins)(\/|$)/,
  },
  {
    name: 'Users',
    description: 'User accounts, avatars, and invitations.',
    paths: /^\/api\/v1\/(users|invitations|avatars)(\/|$)/,
  },
  {
    name: 'Links',
    description: 'Single-use links: set up the workspace, accept an invitation, or set a new password.',
    paths: /^\/api\/v1\/(links\/|setup-link$|password-resets$)/,
  },
  {
    name: 'Workspace',
    description: 'Settings, audit log, backups, and the status of the server and its nodes.',
    paths: /^\/api\/v1(\/(workspace(\/bot-avatar)?|audit|status|nodes|test-mails|backups(\/.*)?))?$/,
  },
];

/** The tags as listed in the document. */
export const tags = CHAPTERS.map(({ name, description }) => ({ name, description }));

/** Returns the name of the chapter for a path, or `undefined` if no chapter has this path. */
export function tagOf(path: string): string | undefined {
  return CHAPTERS.find(({ paths }) => paths.test(path))?.name;
}

/** The schemas of the contract by their names. Only objects and choices: a limited text is described where it is used. */
function schemasOfContract(): [name: string, schema: TSchema][] {
  const names = new Map<TSchema, string>();
  for (const [name, schema] of Object.entries(contract)) {
    const isNamed = KindGuard.IsObject(schema) || KindGuard.IsUnion(schema) || KindGuard.IsIntersect(schema);
    if (isNamed && !names.has(schema)) names.set(schema, name.replace(/(Body|Schema)$/, ''));
  }
  return Array.from(names, ([schema, name]) => [name, schema]);
}

/** The schemas that the OpenAPI document refers to instead of repeating them. */
const schemas = {
  ...Object.fromEntries(schemasOfContract()),
  ListItem: ListItemObject,
  Author: contract.Message.properties.author,
  TodoStatus: contract.Todo.properties.status,
  MessagePage: contract.HubPage(contract.Message),
  NotePage: contract.HubPage(contract.Note),
  TodoPage: contract.HubPage(contract.Todo),
  KeyState: contract.ApiKey.properties.state,
  Role: contract.User.properties.role,
};

/** The named components of the OpenAPI document. */
export const components = {
  schemas,
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
      schema: {
        type: 'string',
        const: `"default";q=${contract.RATE_LIMIT.requests};w=${contract.RATE_LIMIT.windowSeconds}`,
      },
    },
    RateLimit: {
      description: '`r` requests are left; the oldest counted request leaves the window in `t` seconds.',
      required: true,
      schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$', examples: ['"default";r=59;t=60'] },
    },
    RetryAfter: {
      description: 'Whole seconds until the block of the key ends. Present only while the key is blocked.',
      schema: { type: 'integer', minimum: 1, maximum: contract.RATE_LIMIT.blockSeconds, examples: [247] },
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
