import type { Note, Todo } from '@hub/contract';
import { ApiError, path, request } from '../api/request.ts';

export interface Words {
  title: string;
  content: string;
}

/** What somebody began to edit, so that it can be told whether somebody else was faster. */
export interface WordsBase extends Words {
  version: number;
}

/** While one was writing, the words became others. */
export class WordsConflict extends Error {
  override readonly name = 'WordsConflict';
  readonly newer: Note | Todo;

  constructor(newer: Note | Todo) {
    super('The words were changed meanwhile.');
    this.newer = newer;
  }
}

export function wordsIn({ title, content }: Note | Todo): Words {
  return { title: title ?? '', content: content ?? '' };
}

export function baseOf(item: Note | Todo): WordsBase {
  return { ...wordsIn(item), version: item.version };
}

export function areSameWords(one: Words, other: Words): boolean {
  return one.title === other.title && one.content === other.content;
}

interface Edit {
  item: Note | Todo;
  base: WordsBase;
  words: Words;
}

/**
 * Saves what was written over what it was based on. A change of something else, such as the assignee of a to-do, is no
 * conflict, though it makes a new version, too.
 * @throws WordsConflict if the words are others by now; ApiError; NoAnswer.
 */
export async function saveWords({ item, base, words }: Edit, ask: typeof request = request): Promise<Note | Todo> {
  if (areSameWords(words, base)) return item;
  if (!areSameWords(wordsIn(item), base)) throw new WordsConflict(item);
  const { kind, id } = item;
  const send = (baseVersion: number) =>
    ask<Note | Todo>('PATCH', kind === 'todo' ? path`/todos/${id}` : path`/notes/${id}`, {
      body: { ...changesOf(kind, base, words), baseVersion },
    });
  try {
    return await send(Math.max(item.version, base.version));
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 409) throw error;
    const newer = await ask<Note | Todo>('GET', path`/items/${id}`);
    if (!areSameWords(wordsIn(newer), base)) throw new WordsConflict(newer);
    return send(newer.version);
  }
}

function changesOf(kind: 'note' | 'todo', base: Words, { title, content }: Words): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  // A note can do without a title, a to-do without more words than its title.
  if (title !== base.title) changes.title = kind === 'note' && title.trim() === '' ? null : title;
  if (content !== base.content) changes.content = kind === 'todo' && content.trim() === '' ? null : content;
  return changes;
}
