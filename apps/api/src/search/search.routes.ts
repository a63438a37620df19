import { ITEM_KINDS, Item, LIMITS, Page, TODO_STATUSES, WORKSPACE_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readChoice, readInstant, readListQuery } from '../http/read-query.ts';
import { contextOf } from '../http/request-context.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import {
  choice,
  filter,
  instantParameter,
  pageParameters,
  workspaceOperation,
} from '../workspace-api/workspace-operation.ts';
import { searchItems, searchTerms } from './search-items.ts';

const q = {
  ...filter(
    'q',
    'Finds items that contain all of these words, in any order, ignoring case and accents: at most 32. Use "quotes" for an exact phrase of at most 16 words. The last word also matches as a prefix, unless a space or symbol follows it. Punctuation and emoji are not searched: `c++` finds the word c.',
    Type.String({
      pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
      maxLength: LIMITS.searchQueryCodePoints,
      examples: ['certificate', 'deploy "build 42"'],
    }),
  ),
  required: true,
};

const PARAMETERS = ['q', 'hubId', 'kind', 'keyId', 'authorId', 'status', 'from', 'to'] as const;

export function searchRoutes(deps: Deps) {
  return new Elysia({ name: 'search', prefix: `${WORKSPACE_API_PATH}/search` }).get(
    '',
    ({ request }) => {
      const { q: text, kind, status, from, to, ...query } = readListQuery(request, PARAMETERS);
      const input = {
        ...query,
        terms: searchTerms(text),
        kind: readChoice('kind', kind, ITEM_KINDS),
        status: readChoice('status', status, TODO_STATUSES),
        from: readInstant('from', from),
        to: readInstant('to', to),
      };
      const { reauthorize } = contextOf(request);
      return searchItems(deps, callerOf(request), input, { request, reauthorize });
    },
    workspaceOperation({
      operationId: 'search',
      summary: 'Search messages, notes and to-dos',
      description:
        'Searches the Hubs that the caller can read, newest first, including replies. New posts are searchable within a second.',
      access: 'member',
      // A search can take seconds. Lists must not wait for it.
      takesTurns: false,
      parameters: [
        q,
        filter('hubId', 'Only in this Hub.'),
        choice('kind', 'Only items of this kind.', ITEM_KINDS),
        filter('keyId', 'Only items posted with this key.'),
        filter('authorId', 'Only items by this user or the bot; `me` is the caller.'),
        choice('status', 'Only to-dos with this status.', TODO_STATUSES),
        filter('from', 'Only items created at or after this time.', instantParameter),
        filter('to', 'Only items created before this time.', instantParameter),
        ...pageParameters,
      ],
      status: 200,
      response: Page(Item),
      errors: [404],
    }),
  );
}
