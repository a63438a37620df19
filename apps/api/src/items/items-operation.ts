import { TODO_STATUSES } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { ID_PATTERN } from '../core/ids.ts';
import { readChoice, readItemListQuery } from '../http/read-query.ts';
import { choice, filter, idInPath, pageParameters } from '../workspace-api/workspace-operation.ts';

/** Parameters that the item routes share, for parsing and for the OpenAPI document. */
export const hubId = idInPath('hubId', 'The id of the Hub.', 'hub');

/** Parameters of lists that can be paged in both directions. */
export const cursorParameters = [
  ...pageParameters,
  filter(
    'after',
    'Only items newer than this one, starting with the oldest; pass `next` as `after` to continue.',
    Type.String({ pattern: ID_PATTERN }),
  ),
];

export const originParameters = [
  filter('keyId', 'Only posts by this key.'),
  filter('authorId', 'Only items by this user or the bot; `me` is the caller.'),
];
export const todoParameters = [
  choice('status', 'Only to-dos with this status.', TODO_STATUSES),
  filter('assigneeId', 'Only to-dos assigned to this user; `me` is the caller, `none` finds unassigned to-dos.'),
  ...originParameters,
];

export function readOriginQuery(request: Request) {
  const { keyId, authorId, ...cursor } = readItemListQuery(request, ['keyId', 'authorId']);
  return { ...cursor, filters: { keyId, authorId } };
}

export function readTodoQuery<Name extends string = never>(request: Request, others: readonly Name[] = []) {
  const names = ['status', 'assigneeId', 'keyId', 'authorId', ...others] as const;
  const { status, assigneeId, keyId, authorId, ...cursor } = readItemListQuery(request, names);
  return { ...cursor, filters: { status: readChoice('status', status, TODO_STATUSES), assigneeId, keyId, authorId } };
}
