import { TODO_STATUSES } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { readChoice, readItemListQuery } from '../http/read-query.ts';
import { choice, filter, idInPath, pageParameters } from '../http/workspace-operation.ts';
import { ID_PATTERN } from '../ids.ts';

/** What the routes of items have in common, as they read it and as the OpenAPI document tells of it. */
export const hubId = idInPath('hubId', 'The id of the Hub.');
export const messageId = idInPath('messageId', 'The id of the message, which may be a reply.');

/** Of every list that can be read in both directions. */
export const placeParameters = [
  ...pageParameters,
  filter(
    'after',
    'Only what is newer than this, beginning with the oldest; `next` goes into `after` again.',
    Type.String({ pattern: ID_PATTERN }),
  ),
];

export const originParameters = [
  filter('keyId', 'Only what this key has posted.'),
  filter('authorId', 'Only what this person, or the bot, has written; `me` is the caller.'),
];
export const todoParameters = [
  choice('status', 'Only to-dos in this state.', TODO_STATUSES),
  filter('assigneeId', 'Only to-dos of this person; `me` is the caller, `none` finds those that are nobody’s.'),
  ...originParameters,
];

export const listParameters = {
  message: originParameters,
  note: originParameters,
  todo: todoParameters,
};

export function readOriginQuery(request: Request) {
  const { keyId, authorId, ...place } = readItemListQuery(request, ['keyId', 'authorId']);
  return { ...place, filters: { keyId, authorId } };
}

export function readTodoQuery<Name extends string = never>(request: Request, others: readonly Name[] = []) {
  const names = ['status', 'assigneeId', 'keyId', 'authorId', ...others] as const;
  const { status, assigneeId, keyId, authorId, ...place } = readItemListQuery(request, names);
  return { ...place, filters: { status: readChoice('status', status, TODO_STATUSES), assigneeId, keyId, authorId } };
}
