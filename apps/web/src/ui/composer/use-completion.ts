import type { Member } from '@hub/contract';
import { useMemo, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { activeMembers } from '../../data/members/members.ts';
import { loadedNames } from '../../lib/posts/names.ts';
import type { Query } from './typing.ts';

/** Whether a key press belongs to an input method. At the end of a composition, Safari reports only key code 229. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

const NOBODY: readonly Member[] = [];

export type Typing = typeof import('./typing.ts') & typeof import('../reactions/emoji.ts');

let typing: Typing | null = null;

/** Loads the code for typing. @throws if it cannot be loaded; the next call tries again. */
export async function loadTyping(): Promise<Typing> {
  typing ??= { ...(await import('./typing.ts')), ...(await import('../reactions/emoji.ts')) };
  return typing;
}

/** Makes the selected text a link if a URL is pasted over it. */
export function pasteLink(event: ClipboardEvent): void {
  typing?.pasteInto(event, isInCode);
}

/** Breaks the line in a list. Returns whether the caret was in one. */
export function continueList(area: HTMLTextAreaElement): boolean {
  return typing?.continueList(area) ?? false;
}

/** A member, a group or an emoji. */
interface Suggestion {
  id: string;
  name: string;
  detail?: string;
  emoji?: string;
}

export interface Completion {
  label: string;
  /** Empty while no mention and no shortcode is being typed. */
  suggestions: readonly Suggestion[];
  chosen: number;
  choose: (suggestion: Suggestion) => void;
  /** Must be called after each change to the text or the caret. */
  update: () => void;
  close: () => void;
  handleKey: (event: KeyboardEvent) => boolean;
}

/** Completes `@name` with the members of the Hub, perhaps with `@hub` and `@here`, and `:name` with emoji; suggests no members without a Hub. */
export function useCompletion(
  area: { current: HTMLTextAreaElement | null },
  hubId: string | undefined,
  hasGroups: boolean,
): Completion {
  const workspace = useWorkspace();
  const [query, setQuery] = useState<(Query & { isEmoji: boolean }) | null>(null);
  const [index, setIndex] = useState(0);
  /** The index of the `@` or `:` whose list was closed. */
  const [closedAt, setClosedAt] = useState(-1);
  const isOpen = query !== null && query.from !== closedAt;
  const members = isOpen && !query.isEmoji && hubId !== undefined ? activeMembers(workspace, hubId).value : NOBODY;
  const names = isOpen && query.isEmoji ? loadedNames() : undefined;
  const suggestions = useMemo((): Suggestion[] => {
    if (!query || !typing) return [];
    if (names) return typing.matchingEmoji(names.emoji, query.query, typing.recentEmoji());
    const matches = typing.matchingMembers(members, query.query, isOpen && hasGroups);
    // The name is complete, so that Enter sends.
    if (matches.length === 1 && matches[0]?.name === query.query) return [];
    return matches;
  }, [members, names, query?.query, isOpen]);

  const update = () => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
    const next = selectionStart === selectionEnd ? queryAt(value, selectionStart) : null;
    if (next?.from === query?.from && next?.query === query?.query) return;
    setQuery(next);
    setIndex(0);
    if (next === null) setClosedAt(-1);
  };
  const choose = ({ name, emoji }: Suggestion) => {
    if (!area.current || !query || !typing) return;
    const insert = `${emoji === undefined ? `@${name}` : typing.inChosenTone(emoji, typing.tone.peek())} `;
    if (emoji !== undefined) typing.keepRecent(insert.trimEnd());
    const end = query.from + insert.length;
    typing.edit(area.current, { from: query.from, to: area.current.selectionEnd, insert, start: end, end });
    setQuery(null);
  };
  const close = () => setClosedAt(query?.from ?? -1);
  const handleKey = ({ key }: KeyboardEvent): boolean => {
    const { length } = suggestions;
    if (length === 0) return false;
    const suggestion = suggestions[index];
    if (key === 'ArrowDown') setIndex((index + 1) % length);
    else if (key === 'ArrowUp') setIndex((index - 1 + length) % length);
    else if ((key === 'Enter' || key === 'Tab') && suggestion) choose(suggestion);
    else if (key === 'Escape') close();
    else return false;
    return true;
  };
  return { label: query?.isEmoji ? 'Emoji' : 'Members', suggestions, chosen: index, choose, update, close, handleKey };
}

/** Whether a fenced code block is open at the caret (CommonMark 0.31, section 4.5). */
export function isInCode(text: string, caret: number): boolean {
  let open = '';
  for (const [, fence = '', rest = ''] of text.slice(0, caret).matchAll(/^ {0,3}(`{3,}|~{3,})(.*)/gm)) {
    if (open !== '') open = fence.startsWith(open) && rest.trim() === '' ? '' : open;
    else if (fence.startsWith('~') || !rest.includes('`')) open = fence;
  }
  return open !== '';
}

/** Returns what is being typed at the caret, or null. Code contains neither mentions nor shortcodes. */
function queryAt(text: string, caret: number): (Query & { isEmoji: boolean }) | null {
  if (!typing || isInCode(text, caret)) return null;
  const { emojiQuery, nameQuery } = typing;
  // A name may contain spaces, so text with a shortcode could be one.
  const emoji = emojiQuery(text, caret);
  const query = emoji ?? nameQuery(text, caret);
  return query && { ...query, isEmoji: emoji !== null };
}
