import { LIMITS, RATE_LIMIT } from '@hub/contract';

/** What the document says before its operations, in Markdown. */
export const INTRODUCTION = `## The public API

Programs post **messages, notes and to-dos** into one Hub per API key.

- Send the key as \`Authorization: Bearer hub_live_…\`, in no other place. Keys are not for browsers: there are no CORS headers.
- One item per request. There is no deduplication: a request that is sent again makes a second item.
- A 201 means that the item is on disk.
- ${RATE_LIMIT.requests} requests in any ${RATE_LIMIT.windowSeconds} seconds; one more blocks the key for ${RATE_LIMIT.blockSeconds} seconds.
- Bodies are JSON in UTF-8 (\`application/json\` or a type that ends in \`+json\`).
- Unknown fields are refused, so that no typing error loses a due date. \`null\`, blank text and an empty list count as absent.
- Text is well-formed Unicode: half of a surrogate pair, as in \`"\\ud800"\`, is refused, and so is NUL (U+0000), in blocks too.
- Lengths are counted in characters (Unicode code points). Nothing is ever cut to fit.
- Every error has the same four fields; every answer carries \`X-Request-Id\`.
- Within \`v1\` changes only add.

## The workspace API

Under \`/api/v1\` is what people do. What was said of bodies, lengths and errors holds here too.

- A browser signs in (\`POST /api/v1/session\`) and is known by its cookie. With the cookie, whatever writes must carry the \`Origin\` of this server, which browsers add by themselves.
- A program sends a personal access token as \`Authorization: Bearer hub_pat_…\`, and no \`Origin\`.
- The socket in the data folder of the server, which \`hubctl\` uses, lets its admin in with no further login: the local admin, who has no account.
- Who may not read a Hub gets the same 404 for what is in it as for what does not exist. An admin who does not belong to it gets 403, and is told the way in.
- A list is newest first, ${LIMITS.pageItems} items a page at most. Its \`next\`, unless \`null\`, goes into \`?before=\` for the page after it (or into \`?after=\`, if that was asked).
- A user sends at most 1,200 requests within any 60 seconds (one more is 429 with \`Retry-After\`) and has at most 20 live connections and ${LIMITS.accessTokens} access tokens; a Hub has at most 100 active keys. A server may be configured otherwise; the local admin is not limited.
- In a \`PATCH\` what is left out stays, and \`null\` clears.
- Times are ISO 8601 in UTC with milliseconds. Ids are opaque.`;
