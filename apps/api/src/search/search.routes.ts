import { ITEM_KINDS, Item, LIMITS, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readChoice, readListQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { choice, filter, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { searchItems } from './search-items.ts';
import { searchWords } from './search-words.ts';

const q = {
  ...filter(
    'q',
    'The words that an item must hold, all of them, in any order; accents and case do not matter. "Words in quotation marks" must stand one after the other. The last word is taken for the beginning of one unless a blank or a sign follows it. Signs and emoji are not searched: `c++` finds the word c.',
    Type.String({ minLength: 1, maxLength: LIMITS.searchQueryCodePoints, examples: ['deploy "build 42"'] }),
  ),
  required: true,
};

export function searchRoutes(deps: Deps) {
  return new Elysia({ name: 'search', prefix: `${WORKSPACE_API_PATH}/search` }).get(
    '',
    ({ request }) => {
      const { q: words, kind, ...query } = readListQuery(request, ['q', 'hubId', 'kind', 'keyId', 'authorId']);
      const input = { ...query, words: searchWords(words), kind: readChoice('kind', kind, ITEM_KINDS) };
      return searchItems(deps, callerOf(request), input);
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
        ...pageParameters,
      ],
      status: 200,
      answer: Page(Item),
      refusals: [404],
    }),
  );
}
