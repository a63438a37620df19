import { Type } from '@sinclair/typebox';
import * as wire from '../index.ts';
import { choice, file, type OperationDeclaration, page } from './operation.ts';

const favorite = { access: 'user', noun: 'a favorite', success: wire.Hub } as const;
const pin = { access: 'user', noun: 'a pin', success: wire.Item } as const;

export const hubOperations = {
  'GET /hubs': {
    id: 'listHubs',
    summary: 'List Hubs',
    description: 'Members see the Hubs they are a member of; admins see all.',
    access: 'member',
    query: {
      ...page,
      state: choice('The state of the Hubs; default `live`. Other values are for admins.', ['live', 'deleted', 'all']),
      membership: choice('Only Hubs that the caller is a member of.', ['mine']),
      include: choice('Adds the number of members and active keys to each Hub.', ['counts']),
    },
    success: wire.Page(wire.Hub),
  },
  'POST /hubs': {
    id: 'createHub',
    summary: 'Create a Hub',
    description:
      'The user who creates it is its first member. The name must be unique among live Hubs, whatever its case.',
    body: wire.CreateHubBody,
    noun: 'a Hub',
    status: 201,
    success: wire.Hub,
    errors: [409],
  },
  'GET /hubs/{hubId}': {
    id: 'showHub',
    summary: 'Show a Hub',
    description: 'For its members, and for admins.',
    access: 'member',
    success: wire.Hub,
  },
  'GET /hubs/{hubId}/counts': {
    id: 'countHub',
    summary: 'Count the contents of a Hub',
    description: 'Its members, keys, notes and open to-dos.',
    access: 'member',
    turn: 'own',
    success: wire.HubCounts,
  },
  'PATCH /hubs/{hubId}': {
    id: 'changeHub',
    summary: 'Change a Hub',
    body: wire.ChangeHubBody,
    noun: 'a Hub',
    success: wire.Hub,
    errors: [409],
  },
  'DELETE /hubs/{hubId}': {
    id: 'deleteHub',
    summary: 'Delete a Hub',
    description: 'From then on its keys get 404. Nothing is erased: the Hub can be restored.',
    noun: 'a deletion',
    success: wire.Hub,
  },
  'POST /hubs/{hubId}/restoration': {
    id: 'restoreHub',
    summary: 'Restore a deleted Hub',
    confirmation: 'always',
    noun: 'a restoration',
    success: wire.Hub,
    errors: [409],
  },
  'GET /hubs/{hubId}/retention-preview': {
    id: 'previewRetention',
    summary: 'Preview a retention',
    description: 'Counts the items that this retention would remove now. Nothing is changed.',
    query: {
      retentionDays: Type.Integer({
        description: 'The retention in days.',
        minimum: 1,
        maximum: 36_500,
        examples: [30],
      }),
    },
    success: wire.RetentionPreview,
  },
  'PUT /hubs/{hubId}/read': {
    id: 'markHubRead',
    summary: 'Mark a Hub as read or unread',
    description:
      'Sets how far the caller has read the Hub. Each kind has its own marker; without `kind` all three are set. Markers only move forward, and not beyond the newest event. With `back`, they also move back, and what came after the event is unread again, including mentions.',
    access: 'user',
    body: wire.MarkReadBody,
    noun: 'a read marker',
    success: wire.ReadMark,
  },
  'PUT /hubs/{hubId}/favorite': {
    ...favorite,
    id: 'addFavorite',
    summary: 'Add a Hub to your favorites',
    description: 'Only for the caller. The web app shows favorites first.',
  },
  'DELETE /hubs/{hubId}/favorite': { ...favorite, id: 'removeFavorite', summary: 'Remove a Hub from your favorites' },
  'PUT /messages/{messageId}/answer': {
    id: 'answerQuestion',
    summary: 'Answer a question by one of its choices',
    description:
      'The first answer counts, and the same one can be sent again. A question without choices is answered by its first reply. A token of the user who asked cannot answer.',
    access: 'user',
    body: wire.AnswerQuestionBody,
    noun: 'an answer',
    success: wire.Message,
    errors: [409],
  },
  'PUT /items/{itemId}/pin': {
    ...pin,
    id: 'pinItem',
    summary: 'Pin an item to its Hub',
    description: `For every member. A Hub can have up to ${wire.LIMITS.pinsPerHub} pinned items. Pinning one again changes nothing.`,
    errors: [409],
  },
  'DELETE /items/{itemId}/pin': { ...pin, id: 'unpinItem', summary: 'Unpin an item' },
  'GET /todos/{todoId}/history': {
    id: 'listTodoChanges',
    summary: 'List the changes of a to-do',
    description: `Of its assignee, due date, priority and status, newest first, at most ${wire.LIMITS.todoChanges} on the only page.`,
    access: 'member',
    success: wire.Page(wire.TodoChange),
  },
  'GET /hubs/{hubId}/pins': {
    id: 'listPins',
    summary: 'List the pinned items of a Hub',
    description: `Latest pin first, at most ${wire.LIMITS.pinsPerHub} on the only page.`,
    access: 'member',
    success: wire.Page(wire.Pin),
  },
  'GET /hubs/{hubId}/members': {
    id: 'listMembers',
    summary: 'List the members of a Hub',
    description: 'For its members, and for admins.',
    access: 'member',
    query: page,
    success: wire.Page(wire.Member),
  },
  'POST /hubs/{hubId}/members': {
    id: 'addMember',
    summary: 'Add a member to a Hub',
    confirmation: 'for a Hub that the caller cannot read',
    description:
      'From then on the user can read the Hub and post in it; existing items do not count as unread. Adding a member again changes nothing.',
    body: wire.AddMemberBody,
    noun: 'a membership',
    status: 201,
    success: wire.Member,
    errors: [409],
  },
  'DELETE /hubs/{hubId}/members/{userId}': {
    id: 'removeMember',
    summary: 'Remove a member from a Hub',
    description:
      'Admins can remove any member; members can remove themselves. Live views of the Hub end. To-dos stay assigned to the former member.',
    access: 'member',
    noun: 'a removal',
    success: wire.Member,
  },
  'GET /hubs/{hubId}/export': {
    id: 'exportHub',
    summary: 'Export a Hub',
    description:
      'Members only. The export is streamed, so it can be of any size, and others can read and write meanwhile. An interrupted export is not complete JSON. A user can have two in progress. Recorded in the audit log.',
    access: 'member',
    success: wire.HubExport,
  },
  'GET /hubs/{hubId}/archive': {
    id: 'exportHubWithFiles',
    summary: 'Export a Hub with its files',
    description:
      'A ZIP archive, streamed like the export without files: `export.json` is that export, and `files/` contains the files of its items, each named by its id and name.',
    access: 'member',
    success: file('application/zip'),
  },
} as const satisfies Record<string, OperationDeclaration>;
