import type { Note, Todo } from '@hub/contract';
import { ApiError, path, request } from '../api/request.ts';

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
  if (isSameText(text, base)) return item;
  if (!isSameText(textIn(item), base)) throw new TextConflict(item);
  const { kind, id } = item;
  const send = (baseVersion: number) =>
    ask<Note | Todo>('PATCH', kind === 'todo' ? path`/todos/${id}` : path`/notes/${id}`, {
      body: { ...changesOf(kind, base, text), baseVersion },
    });
  try {
    return await send(Math.max(item.version, base.version));
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 409) throw error;
    const newer = await ask<Note | Todo>('GET', path`/items/${id}`);
    if (!isSameText(textIn(newer), base)) throw new TextConflict(newer);
    return send(newer.version);
  }
}

function changesOf(kind: 'note' | 'todo', base: ItemText, { title, content }: ItemText): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  // The title of a note and the content of a to-do are optional.
  if (title !== base.title) changes.title = kind === 'note' && title.trim() === '' ? null : title;
  if (content !== base.content) changes.content = kind === 'todo' && content.trim() === '' ? null : content;
  return changes;
}
