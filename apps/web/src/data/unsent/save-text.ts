import type { ChangeNoteBody, ChangeTodoBody, Note, Todo } from '@hub/contract';
import { isBlank } from '@hub/contract/blank-text';
import { ApiError, request } from '../request.ts';
import type { AttachedFile } from './unsent.ts';

export interface ItemText {
  title: string;
  content: string;
  files?: readonly AttachedFile[];
}

/** The version being edited, to detect a conflicting edit. */
export interface TextBase extends ItemText {
  version: number;
}

/** The text was changed by someone else while the user was editing. */
export class TextConflict extends Error {
  override readonly name = 'TextConflict';
  readonly newer: Note | Todo;

  constructor(newer: Note | Todo) {
    super('The text was changed in the meantime.');
    this.newer = newer;
  }
}

export function textIn({ title, content, files }: Note | Todo): ItemText {
  const attached = files && { files: files.map(({ id, name, size }) => ({ id, name, size })) };
  return { title: title ?? '', content: content ?? '', ...attached };
}

export const fileIdsOf = ({ files = [] }: ItemText): string[] => files.map(({ id }) => id);

export function hasSameFiles(one: ItemText, other: ItemText): boolean {
  return fileIdsOf(one).join() === fileIdsOf(other).join();
}

export function baseOf(item: Note | Todo): TextBase {
  return { ...textIn(item), version: item.version };
}

export function isSameText(one: ItemText, other: ItemText): boolean {
  return one.title === other.title && one.content === other.content && hasSameFiles(one, other);
}

interface Edit {
  item: Note | Todo;
  base: TextBase;
  text: ItemText;
}

/**
 * Saves edited text over the version it is based on. A change to another field, such as the assignee of a to-do, also
 * creates a new version but is not a conflict.
 * @throws TextConflict if the text has changed since; ApiError; NoResponse.
 */
export async function saveText({ item, base, text }: Edit, ask: typeof request = request): Promise<Note | Todo> {
  // Also if the response to an earlier request that saved this text was lost.
  if (isSameText(text, base) || isSameText(text, textIn(item))) return item;
  if (!isSameText(textIn(item), base)) throw new TextConflict(item);
  const { kind, id } = item;
  const send = (baseVersion: number) =>
    kind === 'todo'
      ? ask('PATCH /todos/{todoId}', { todoId: id, body: { ...todoChanges(base, text), baseVersion } })
      : ask('PATCH /notes/{noteId}', { noteId: id, body: { ...noteChanges(base, text), baseVersion } });
  try {
    return await send(Math.max(item.version, base.version));
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 409) throw error;
    const newer = (await ask('GET /items/{itemId}', { itemId: id })) as Note | Todo;
    if (isSameText(text, textIn(newer))) return newer;
    if (!isSameText(textIn(newer), base)) throw new TextConflict(newer);
    return send(newer.version);
  }
}

function noteChanges(base: ItemText, text: ItemText): ChangeNoteBody {
  const { title, content } = text;
  return {
    ...fileChanges(base, text),
    ...(title === base.title ? {} : { title: isBlank(title) ? null : title }),
    ...(content === base.content ? {} : { content }),
  };
}

function todoChanges(base: ItemText, text: ItemText): ChangeTodoBody {
  const { title, content } = text;
  return {
    ...fileChanges(base, text),
    ...(title === base.title ? {} : { title }),
    ...(content === base.content ? {} : { content: isBlank(content) ? null : content }),
  };
}

function fileChanges(base: ItemText, text: ItemText): { files?: string[] } {
  return hasSameFiles(base, text) ? {} : { files: fileIdsOf(text) };
}
