import type { ChangeNoteBody, ChangeTodoBody, Note, Todo } from '@hub/contract';
import { isBlank } from '@hub/contract/blank-text';
import { mergeLines } from '../../lib/merge-lines.ts';
import { ApiError, request } from '../request.ts';

export interface ItemText {
  title: string;
  content: string;
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

export function textIn({ title, content }: Note | Todo): ItemText {
  return { title: title ?? '', content: content ?? '' };
}

export function baseOf(item: Note | Todo): TextBase {
  return { ...textIn(item), version: item.version };
}

export function isSameText(one: ItemText, other: ItemText): boolean {
  return one.title === other.title && one.content === other.content;
}

/** Merges two changed versions of a text. Returns null if both changed the title or the same lines. */
export function mergeText(base: ItemText, mine: ItemText, theirs: ItemText): ItemText | null {
  const title = mergeLines(base.title, mine.title, theirs.title);
  const content = mergeLines(base.content, mine.content, theirs.content);
  return title === null || content === null ? null : { title, content };
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

function noteChanges(base: ItemText, { title, content }: ItemText): ChangeNoteBody {
  return {
    ...(title === base.title ? {} : { title: isBlank(title) ? null : title }),
    ...(content === base.content ? {} : { content }),
  };
}

function todoChanges(base: ItemText, { title, content }: ItemText): ChangeTodoBody {
  return {
    ...(title === base.title ? {} : { title }),
    ...(content === base.content ? {} : { content: isBlank(content) ? null : content }),
  };
}
