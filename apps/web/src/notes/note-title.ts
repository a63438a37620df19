import type { Note } from '@hub/contract';
import { excerpt } from '../item-text/excerpt.ts';

const MAX = 80;

/** What a note is called: its title, or its first words. */
export function noteTitle({ title, content }: Note): string {
  if (title !== null) return title;
  const text = excerpt(content);
  return text === '' ? 'A note without words' : [...text].slice(0, MAX).join('');
}
