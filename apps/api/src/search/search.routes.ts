import { ITEM_KINDS, Item, LIMITS, Page, TODO_STATUSES, WORKSPACE_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readChoice, readInstant, readListQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { choice, filter, instantParameter, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { searchItems } from './search-items.ts';
import { searchTerms } from './search-text.ts';

const q = {
  ...filter(
    'q',
    'The words that an item must hold, all of them, in any order; accents and case do not matter. "Words in quotation marks" must stand one after the other. The last word is taken for the beginning of one unless a blank or a sign follows it. Signs and emoji are not searched: `c++` finds the word c.',
    Type.String({
      pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
      maxLength: LIMITS.searchQueryCodePoints,
      examples: ['deploy "build 42"'],
    }),
  ),
  required: true,
};

const PARAMETERS = ['q', 'hubId', 'kind', 'keyId', 'authorId', 'status', 'from', 'to'] as const;

export function searchRoutes(deps: Deps) {
  return new Elysia({ name: 'search', prefix: `${WORKSPACE_API_PATH}/search` }).get(
    '',
    ({ request }) => {
      const { q: words, kind, status, from, to, ...query } = readListQuery(request, PARAMETERS);
      return searchItems(deps, callerOf(request), {
        ...query,
        words: searchTerms(words),
        kind: readChoice('kind', kind, ITEM_KINDS),
        status: readChoice('status', status, TODO_STATUSES),
        from: readInstant('from', from),
        to: readInstant('to', to),
      });
    },
    workspaceOperation({
      operationId: 'search',
      summary: 'Search messages, notes and to-dos',
      description:
        'In the Hubs that the caller may read, newest first; replies too. What was posted is found at once or within a second.',
      access: 'member',
      parameters: [
        q,
        filter('hubId', 'Only in this Hub.'),
        choice('kind', 'Only items of this kind.', ITEM_KINDS),
        filter('keyId', 'Only what this key has posted.'),
        filter('authorId', 'Only what this person, or the bot, has written; `me` is the caller.'),
        choice('status', 'Only to-dos that are open, or done.', TODO_STATUSES),
        filter('from', 'Only what was made at this instant or later.', instantParameter),
        filter('to', 'Only what was made before this instant.', instantParameter),
        ...pageParameters,
      ],
      status: 200,
      response: Page(Item),
      errors: [404],
    }),
  );
}
