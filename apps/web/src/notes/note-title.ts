import type { Note } from '@hub/contract';
import { excerpt } from '../item-text/excerpt.ts';

const MAX = 80;

/** Returns the title of a note, or the beginning of its text. */
export function noteTitle({ title, content }: Note): string {
  if (title !== null) return title;
  const text = excerpt(content);
  return text === '' ? 'Untitled note' : [...text].slice(0, MAX).join('');
}
