import type { EventFrame, Item, Message, Note, Todo } from '@hub/contract';

const common = {
  hubId: 'hub_1',
  author: { id: 'per_1', kind: 'user', name: 'Ada' },
  key: null,
  version: 1,
  editedAt: null,
  editedBy: null,
  deletedAt: null,
} as const;

/** Returns a message created by event `seq` of its Hub, a minute after the one before it. */
export function message(seq: number, fields: Partial<Message> = {}): Message {
  return {
    ...common,
    kind: 'message',
    id: `msg_${String(seq).padStart(4, '0')}`,
    seq,
    createdAt: timeOf(seq),
    mentions: [],
    text: `Message ${seq}`,
    blocks: null,
    parentId: null,
    replyCount: 0,
    lastReplyAt: null,
    reactions: [],
    conversion: null,
    ...fields,
  };
}

export function todo(seq: number, fields: Partial<Todo> = {}): Todo {
  return {
    ...common,
    kind: 'todo',
    id: `todo_${String(seq).padStart(4, '0')}`,
    seq,
    createdAt: timeOf(seq),
    mentions: [],
    title: `To-do ${seq}`,
    content: null,
    dueDate: null,
    priority: null,
    status: 'open',
    assignee: null,
    finishedAt: null,
    finishedBy: null,
    sourceId: null,
    ...fields,
  };
}

export function note(seq: number, fields: Partial<Note> = {}): Note {
  return {
    ...common,
    kind: 'note',
    id: `note_${String(seq).padStart(4, '0')}`,
    seq,
    createdAt: timeOf(seq),
    mentions: [],
    title: null,
    content: `Note ${seq}`,
    sourceId: null,
    ...fields,
  };
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
