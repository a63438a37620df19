import type { Deps } from '../../access/deps.ts';
import { repeated, serve } from '../../http/operations/serve.ts';
import { answerQuestion } from './answer-question.ts';
import { convertMessage, editItem } from './change-item.ts';
import { deleteItem, listDeleted, restoreItem } from './deletions.ts';
import { ANY_ITEM, MESSAGE, NOTE, readableItem, TO_DO } from './item-rights.ts';
import { itemView, messageView, noteView, todoView } from './item-view.ts';
import {
  listHubItems,
  listMentions,
  listPostingKeys,
  listReplies,
  listStream,
  listTodoChanges,
  listTodos,
} from './list-items.ts';
import { readMentions, readThread } from './mentions.ts';
import { listPins, pinItem, unpinItem } from './pin-item.ts';
import { reactToMessage } from './react-to-message.ts';
import { replyToItem, showOrigin, writeItem } from './write-item.ts';

/** All routes for messages, notes and to-dos. */
export function itemsRoutes(deps: Deps) {
  return serve({
    'GET /hubs/{hubId}/messages': ({ caller, params, query }) =>
      listHubItems(deps, caller, { ...query, ...params, kind: 'message' }, messageView),
    'POST /hubs/{hubId}/messages': async ({ caller, params, body }) =>
      messageView(await writeItem(deps, caller, params.hubId, 'message', body)),
    'PATCH /messages/{messageId}': async ({ caller, params, body }) =>
      messageView(await editItem(deps, caller, params.messageId, MESSAGE, body)),
    'DELETE /messages/{messageId}': async ({ caller, params }) =>
      messageView(await deleteItem(deps, caller, params.messageId, MESSAGE)),
    'POST /messages/{messageId}/conversion': async ({ caller, params, body }) => {
      const { item, isNew } = await convertMessage(deps, caller, params.messageId, body);
      return isNew ? item : repeated(item);
    },
    'PUT /messages/{messageId}/answer': async ({ caller, params, body }) =>
      messageView(await answerQuestion(deps, caller, { ...params, ...body })),
    'PUT /messages/{messageId}/reactions/{emoji}': async ({ caller, params }) =>
      messageView(await reactToMessage(deps, caller, { ...params, isOn: true })),
    'DELETE /messages/{messageId}/reactions/{emoji}': async ({ caller, params }) =>
      messageView(await reactToMessage(deps, caller, { ...params, isOn: false })),

    'GET /hubs/{hubId}/notes': ({ caller, params, query }) =>
      listHubItems(deps, caller, { ...query, ...params, kind: 'note' }, noteView),
    'POST /hubs/{hubId}/notes': async ({ caller, params, body }) =>
      noteView(await writeItem(deps, caller, params.hubId, 'note', body)),
    'PATCH /notes/{noteId}': async ({ caller, params, body }) =>
      noteView(await editItem(deps, caller, params.noteId, NOTE, body)),
    'DELETE /notes/{noteId}': async ({ caller, params }) =>
      noteView(await deleteItem(deps, caller, params.noteId, NOTE)),

    'GET /hubs/{hubId}/todos': ({ caller, params, query }) =>
      listHubItems(deps, caller, { ...query, ...params, kind: 'todo' }, todoView),
    'POST /hubs/{hubId}/todos': async ({ caller, params, body }) =>
      todoView(await writeItem(deps, caller, params.hubId, 'todo', body)),
    'GET /todos': ({ caller, query }) => listTodos(deps, caller, query),
    'PATCH /todos/{todoId}': async ({ caller, params, body }) =>
      todoView(await editItem(deps, caller, params.todoId, TO_DO, body)),
    'GET /todos/{todoId}/history': ({ caller, params }) => listTodoChanges(deps, caller, params.todoId),
    'DELETE /todos/{todoId}': async ({ caller, params }) =>
      todoView(await deleteItem(deps, caller, params.todoId, TO_DO)),

    'GET /stream': ({ caller, query: { unread, ...query } }) =>
      listStream(deps, caller, { ...query, isUnread: unread === 'true' }),
    'GET /stream/keys': ({ caller, query }) => listPostingKeys(deps, caller, query),
    'GET /mentions': ({ caller, query }) => listMentions(deps, caller, query),
    'PUT /mentions/read': ({ caller, body }) => readMentions(deps, caller, body),
    'GET /items/{itemId}': async ({ caller, params }) =>
      itemView(await readableItem(deps.store, caller, params.itemId, ANY_ITEM)),
    'GET /items/{itemId}/replies': ({ caller, params, query }) => listReplies(deps, caller, { ...query, ...params }),
    'POST /items/{itemId}/replies': async ({ caller, params, body }) =>
      messageView(await replyToItem(deps, caller, params.itemId, body)),
    'PUT /items/{itemId}/replies/read': ({ caller, params, body }) => readThread(deps, caller, { ...params, ...body }),
    'POST /items/{itemId}/restoration': async ({ caller, params }) =>
      itemView(await restoreItem(deps, caller, params.itemId)),
    'PUT /items/{itemId}/pin': async ({ caller, params }) => itemView(await pinItem(deps, caller, params.itemId)),
    'DELETE /items/{itemId}/pin': async ({ caller, params }) => itemView(await unpinItem(deps, caller, params.itemId)),
    'GET /hubs/{hubId}/pins': ({ caller, params }) => listPins(deps, caller, params.hubId),
    'GET /hubs/{hubId}/deleted-items': ({ caller, params, query }) =>
      listDeleted(deps, caller, { ...query, ...params }),
    'GET /items/{itemId}/origin': ({ caller, params }) => showOrigin(deps, caller, params.itemId),
  });
}
