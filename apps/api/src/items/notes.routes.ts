import { ChangeNoteBody, Note, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readNoFields, readPatch } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { changeNote } from './change-item.ts';
import { deleteItem } from './delete-item.ts';
import { NOTE } from './item-rights.ts';
import { noteView } from './item-view.ts';

const noteId = idInPath('noteId', 'The id of the note.', 'note');

/** Routes for notes. Every member of the Hub can edit and delete them. */
export function notesRoutes(deps: Deps) {
  return new Elysia({ name: 'notes', prefix: `${WORKSPACE_API_PATH}/notes` })
    .patch(
      '/:noteId',
      async ({ request, params }) => {
        const body = readPatch(ChangeNoteBody, await readJsonBody(request), { noun: 'a note' });
        return changeNote(deps, callerOf(request), params.noteId, body);
      },
      workspaceOperation({
        operationId: 'changeNote',
        summary: 'Edit a note',
        access: 'member',
        parameters: [noteId],
        body: { schema: ChangeNoteBody },
        status: 200,
        response: Note,
        errors: [409],
      }),
    )
    .delete(
      '/:noteId',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return noteView(await deleteItem(deps, callerOf(request), params.noteId, NOTE));
      },
      workspaceOperation({
        operationId: 'deleteNote',
        summary: 'Delete a note',
        access: 'member',
        parameters: [noteId],
        status: 200,
        response: Note,
        errors: [400, 413, 415],
      }),
    );
}
