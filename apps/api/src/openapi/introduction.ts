import { LIMITS, RATE_LIMIT } from '@hub/contract';

/** The introduction to the OpenAPI document, in Markdown. */
export const INTRODUCTION = `## The public API

Programs post **messages, notes and to-dos** into one Hub per API key.

- Send the key as \`Authorization: Bearer hub_live_…\`, never anywhere else. Keys are not for browsers: there are no CORS headers.
- One item per request. There is no deduplication: a repeated request creates a second item.
- A 201 means that the item is on disk.
- A key can send ${RATE_LIMIT.requests} requests in any ${RATE_LIMIT.windowSeconds} seconds; one more blocks it for ${RATE_LIMIT.blockSeconds} seconds.
- Bodies are JSON in UTF-8 (\`application/json\` or a type that ends in \`+json\`).
- Unknown fields are rejected, so that a misspelled field does not lose a due date. \`null\`, blank text and an empty list count as absent.
- Text must be well-formed Unicode: lone surrogates, as in \`"\\ud800"\`, and NUL (U+0000) are rejected, also in blocks.
- Lengths are counted in characters (Unicode code points). Nothing is ever truncated.
- Every error has the same four fields; every response carries \`X-Request-Id\`.
- Changes within \`v1\` are additive only.

## The workspace API

The API for users is under \`/api/v1\`. The rules for bodies, lengths and errors above also apply here.

- A browser signs in (\`POST /api/v1/session\`) and is identified by its cookie. Requests that write with a cookie must carry the \`Origin\` of this server, which browsers add automatically.
- A program sends a personal access token as \`Authorization: Bearer hub_pat_…\`, and no \`Origin\`.
- The socket in the data folder of the server, which \`hubctl\` uses, requires no login: its caller is the local admin, who has no account.
- Users without access to a Hub get 404 for everything in it, as if it did not exist. An admin who is not a member gets 403 with a message that explains how to join.
- Lists are newest first, with at most ${LIMITS.pageItems} items per page. Pass \`next\`, unless it is \`null\`, as \`?before=\` to get the next page (or as \`?after=\`, if you used that).
- A user can send at most 1,200 requests in any 60 seconds (one more is 429 with \`Retry-After\`), and have at most 20 live connections and ${LIMITS.accessTokens} access tokens; a Hub has at most 100 active keys. The server may be configured differently; the local admin is not limited.
- In a \`PATCH\`, omitted fields stay as they are, and \`null\` clears a field.
- Times are ISO 8601 in UTC with milliseconds. Ids are opaque.`;
