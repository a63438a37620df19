import type { Note } from '@hub/contract';
import { excerpt } from '../words/excerpt.ts';

const MOST = 80;

/** What a note is called: its title, or its first words. */
export function noteTitle({ title, content }: Note): string {
  if (title !== null) return title;
  const words = excerpt(content);
  return words === '' ? 'A note without words' : [...words].slice(0, MOST).join('');
}
