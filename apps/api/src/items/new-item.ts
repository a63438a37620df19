import { actingUserOf, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { ItemRowKind, NewItem } from '../storage/item-store.ts';
import { authorOf } from './item-rights.ts';

export type ItemFields = Pick<NewItem, 'kind' | 'hubId'> &
  Partial<Pick<NewItem, 'title' | 'body' | 'dueAt' | 'priority' | 'assigneeId' | 'parentId' | 'sourceId'>>;

const ID_PREFIX = { message: 'msg', reply: 'msg', note: 'note', todo: 'todo' } as const satisfies Record<
  ItemRowKind,
  string
>;

/** Returns a new item by the caller, with author, time and id. */
export function newItem({ clock, newId }: Pick<Deps, 'clock' | 'newId'>, caller: Caller, fields: ItemFields): NewItem {
  return {
    title: null,
    body: null,
    dueAt: null,
    priority: null,
    assigneeId: null,
    parentId: null,
    sourceId: null,
    ...fields,
    id: newId(ID_PREFIX[fields.kind]),
    createdAt: clock.now(),
    authorId: authorOf(caller).id,
    actingUser: actingUserOf(caller),
  };
}
