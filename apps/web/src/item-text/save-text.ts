import type { Note, Todo } from '@hub/contract';
import { ApiError, path, request } from '../api/request.ts';

export interface ItemText {
  title: string;
  content: string;
}

/** What somebody began to edit, so that it can be told whether somebody else was faster. */
export interface TextBase extends ItemText {
  version: number;
}

/** While one was writing, the words became others. */
export class TextConflict extends Error {
  override readonly name = 'WordsConflict';
  readonly newer: Note | Todo;

  constructor(newer: Note | Todo) {
    super('The words were changed meanwhile.');
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
 * Saves what was written over what it was based on. A change of something else, such as the assignee of a to-do, is no
 * conflict, though it makes a new version, too.
 * @throws WordsConflict if the words are others by now; ApiError; NoAnswer.
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
  // A note can do without a title, a to-do without more words than its title.
  if (title !== base.title) changes.title = kind === 'note' && title.trim() === '' ? null : title;
  if (content !== base.content) changes.content = kind === 'todo' && content.trim() === '' ? null : content;
  return changes;
}
