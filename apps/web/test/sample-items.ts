import {
  type EventFrame,
  type Item,
  type Message,
  type Note,
  TODO_FIELD_NAMES,
  type Todo,
  type TodoField,
} from '@hub/contract';

const itemOf = <Kind extends Item['kind']>(kind: Kind, prefix: string, seq: number) => ({
  kind,
  id: `${prefix}_${String(seq).padStart(4, '0')}`,
  hubId: 'hub_1',
  author: { id: 'per_1', kind: 'user', name: 'Ada' } as const,
  key: null,
  version: 1,
  editedAt: null,
  editedBy: null,
  deletedAt: null,
  seq,
  createdAt: timeOf(seq),
  mentions: [],
  replyCount: 0,
  lastReplyAt: null,
});

/** Returns a message created by event `seq` of its Hub, a minute after the one before it. */
export function message(seq: number, fields: Partial<Message> = {}): Message {
  const thread = { parentId: null, reactions: [], conversion: null };
  return { ...itemOf('message', 'msg', seq), text: `Message ${seq}`, blocks: null, ...thread, ...fields };
}

export function todo(seq: number, fields: Partial<Todo> = {}): Todo {
  const unset = Object.fromEntries(TODO_FIELD_NAMES.map((name) => [name, null])) as Record<TodoField, null>;
  const state = { ...unset, status: 'open', assignee: null, finishedAt: null } as const;
  const rest = { content: null, finishedBy: null, sourceId: null };
  return { ...itemOf('todo', 'todo', seq), title: `To-do ${seq}`, ...state, ...rest, ...fields };
}

export function note(seq: number, fields: Partial<Note> = {}): Note {
  return { ...itemOf('note', 'note', seq), title: null, content: `Note ${seq}`, sourceId: null, ...fields };
}

export function timeOf(seq: number): string {
  return new Date(Date.parse('2026-03-01T09:00:00.000Z') + seq * 60_000).toISOString();
}

/** Returns the frame that the server sends when event `seq` creates, changes, deletes or restores `item`. */
export function event(name: 'created' | 'changed' | 'deleted' | 'restored', seq: number, item: Item): EventFrame {
  return { type: 'event', hubId: item.hubId, seq, event: `${item.kind}.${name}`, data: item };
}

export function pruned(seq: number, before: string, hubId = 'hub_1'): EventFrame {
  return { type: 'event', hubId, seq, event: 'items.pruned', data: { before } };
}
