import { MENTION_SIGN } from '@hub/contract/find-names';
import { SHORTCODE_START } from '@hub/contract/markdown/shortcodes';
import { plain } from '../../lib/names.ts';
import { inTone, type Tone } from '../reactions/emoji.ts';

/** A mention or an emoji that is being typed. */
export interface Query {
  /** The index of its `@` or `:`. */
  from: number;
  /** The text after that sign. */
  query: string;
}

const MAX_NAME = 64;
const SHOWN = 6;
/** An `@` that begins a mention, and the text from there to the caret. */
const NAME_BEFORE_CARET = new RegExp(String.raw`${MENTION_SIGN}([^@＠\n]*)$`, 'v');

/** Returns the mention being typed at the caret, or null. */
export function nameQuery(text: string, caret: number): Query | null {
  const before = text.slice(Math.max(0, caret - MAX_NAME - 2), caret);
  const query = NAME_BEFORE_CARET.exec(before)?.[1];
  return query === undefined || query.startsWith(' ') ? null : { from: caret - query.length - 1, query };
}

/** Returns the members with a word in their name that starts with the query, first names first. */
export function matchingNames<T extends { id: string; name: string }>(members: readonly T[], query: string): T[] {
  // A trailing space ends a whole name, so it is kept.
  const prefix = plain(query).replace(/\s+/g, ' ');
  const byName: T[] = [];
  const byWord: T[] = [];
  for (const member of members) {
    const name = plain(member.name).replace(/\s+/g, ' ');
    if (name.startsWith(prefix)) byName.push(member);
    else if (name.split(' ').some((word) => word.startsWith(prefix))) byWord.push(member);
  }
  const alphabetically = (one: T, other: T) => one.name.localeCompare(other.name);
  return [...byName.sort(alphabetically), ...byWord.sort(alphabetically)].slice(0, SHOWN);
}

const GROUPS = [
  { id: '@here', name: 'here', email: 'Members who have a page open' },
  { id: '@hub', name: 'hub', email: 'All members of this Hub' },
];

/** Returns the members to suggest, each with what tells apart those of one name, and perhaps `@here` and `@hub`. */
export function matchingMembers(
  members: readonly { id: string; name: string; email: string }[],
  query: string,
  hasGroups: boolean,
): { id: string; name: string; detail: string }[] {
  const matches = [...matchingNames(members, query), ...(hasGroups ? matchingNames(GROUPS, query) : [])];
  return matches.map(({ id, name, email }) => ({ id, name, detail: email }));
}

/** In characters: the length of the longest shortcode that the server reads. */
const MAX_SHORTCODE = 60;
/** In characters. Shorter text is more likely to be an emoticon, such as `:D`. */
const MIN_SHORTCODE = 2;
const SHORTCODE_BEFORE_CARET = new RegExp(
  `${SHORTCODE_START}:([a-z0-9_+\\-]{${MIN_SHORTCODE},${MAX_SHORTCODE}})$`,
  'iv',
);
const EMOJI = /^\p{RGI_Emoji}$/v;

/** Returns the emoji shortcode being typed at the caret, or null. */
export function emojiQuery(text: string, caret: number): Query | null {
  const before = text.slice(Math.max(0, caret - MAX_SHORTCODE - 2), caret);
  const query = SHORTCODE_BEFORE_CARET.exec(before)?.[1];
  return query === undefined ? null : { from: caret - query.length - 1, query: query.toLowerCase() };
}

/** Returns the emoji with a shortcode that starts with the query, or a word of it; recent and short ones first. */
export function matchingEmoji(
  names: ReadonlyMap<string, string>,
  query: string,
  recent: readonly string[],
): { id: string; name: string; emoji: string }[] {
  const matches: { name: string; emoji: string; rank: number }[] = [];
  for (const [name, emoji] of names) {
    const isStart = name.startsWith(query);
    if (!isStart && !name.includes(`_${query}`)) continue;
    const rank = name === query ? 0 : isStart && recent.includes(emoji) ? 1 : isStart ? 2 : 3;
    matches.push({ name, emoji, rank });
  }
  matches.sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  const one = new Map(matches.map((each) => [each.emoji, each] as const).reverse());
  return matches
    .filter((each) => one.get(each.emoji) === each)
    .slice(0, SHOWN)
    .map(({ name, emoji }) => ({ id: name, name: `:${name}:`, emoji }));
}

export function inChosenTone(emoji: string, tone: Tone): string {
  const toned = inTone({ text: emoji, hasTones: true }, tone);
  return EMOJI.test(toned) ? toned : emoji;
}

export interface Selection {
  text: string;
  start: number;
  end: number;
}

/** The replacement of a range, and the selection afterwards. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  start: number;
  end: number;
}

export type Mark = 'bold' | 'italic' | 'code' | 'link' | 'list';

/** Returns the edit that a toolbar button makes. Pressing the same button again reverts it. */
export function markText(mark: Mark, selection: Selection): Edit {
  if (mark === 'list') return list(selection);
  const tight = withoutBlanks(selection);
  if (mark === 'link') return link(tight);
  if (mark === 'bold') return wrap(tight, '**');
  if (mark === 'italic') return wrap(tight, '_');
  return tight.text.slice(tight.start, tight.end).includes('\n') ? fence(tight) : wrap(tight, '`');
}

/** Markdown delimiters must touch the text. */
function withoutBlanks({ text, start, end }: Selection): Selection {
  const selection = text.slice(start, end);
  if (selection.trim() === '') return { text, start, end: start };
  return {
    text,
    start: start + selection.length - selection.trimStart().length,
    end: end - (selection.length - selection.trimEnd().length),
  };
}

function wrap({ text, start, end }: Selection, sign: string): Edit {
  const inner = text.slice(start, end);
  const isAround = text.slice(start - sign.length, start) === sign && text.slice(end, end + sign.length) === sign;
  if (isAround && start >= sign.length) {
    const from = start - sign.length;
    return { from, to: end + sign.length, insert: inner, start: from, end: from + inner.length };
  }
  if (inner.length > 2 * sign.length && inner.startsWith(sign) && inner.endsWith(sign)) {
    const bare = inner.slice(sign.length, -sign.length);
    return { from: start, to: end, insert: bare, start, end: start + bare.length };
  }
  const first = start + sign.length;
  return { from: start, to: end, insert: sign + inner + sign, start: first, end: first + inner.length };
}

function fence({ text, start, end }: Selection): Edit {
  const inner = text.slice(start, end);
  const before = start === 0 || text[start - 1] === '\n' ? '```\n' : '\n```\n';
  const behind = text[end] === '\n' || end === text.length ? '\n```' : '\n```\n';
  const first = start + before.length;
  return { from: start, to: end, insert: before + inner + behind, start: first, end: first + inner.length };
}

const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s<>]+$/i;

/** Selects the part that is still to be written: the URL or the text. */
function link({ text, start, end }: Selection): Edit {
  const inner = text.slice(start, end);
  if (ADDRESS.test(inner) || inner === '') {
    const address = inner === '' ? 'https://' : inner;
    return { from: start, to: end, insert: `[](${address})`, start: start + 1, end: start + 1 };
  }
  const first = start + inner.length + '[]('.length;
  return { from: start, to: end, insert: `[${inner}](https://)`, start: first, end: first + 'https://'.length };
}

/**
 * Returns the edit that turns the selected text into a link to a pasted URL, or null to paste as usual: for other text,
 * and without selected text on one line.
 */
export function linkTo(pasted: string, selection: Selection): Edit | null {
  const { text, start, end } = withoutBlanks(selection);
  const inner = text.slice(start, end);
  const url = pasted.trim();
  const isInlineCode = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).split('`').length % 2 === 0;
  if (isInlineCode || inner === '' || !ADDRESS.test(url) || ADDRESS.test(inner) || /[\n[\]`]/.test(inner)) return null;
  // Between angle brackets, parentheses need not be balanced (CommonMark 0.31, section 6.3).
  const insert = `[${inner}](${/[()]/.test(url) ? `<${url}>` : url})`;
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length };
}

/** Turns whole lines into list items, or list items back into lines. */
function list({ text, start, end }: Selection): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const to = lineEnd === -1 ? text.length : lineEnd;
  const lines = text.slice(from, to).split('\n');
  const areItems = lines.every((line) => line.startsWith('- '));
  const insert = lines
    .map((line) => (areItems ? line.slice(2) : line.startsWith('- ') ? line : `- ${line}`))
    .join('\n');
  const last = from + insert.length;
  return { from, to, insert, start: lines.length === 1 ? last : from, end: last };
}

/** The start of a list item (CommonMark 0.31, section 5.2), with the box of a task. */
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))( \[[ x]\])? (.*)$/i;

/** Returns the edit for a line break in a list: it begins the next item, or ends the list in an empty one. */
export function breakList({ text, start, end }: Selection): Edit | null {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const match = ITEM.exec(text.slice(from, start));
  if (!match) return null;
  const [, indent, bullet, number, sign, task, rest = ''] = match;
  const isEmpty = rest.trim() === '' && /^[^\S\n]*(?:\n|$)/.test(text.slice(end));
  if (isEmpty) return { from, to: end, insert: '', start: from, end: from };
  const next = bullet ?? `${Number(number) + 1}${sign}`;
  const insert = `\n${indent}${next}${task ? ' [ ]' : ''} `;
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length };
}

/** Breaks the line in a list of a text area. Returns whether the caret was in one. */
export function continueList(area: HTMLTextAreaElement): boolean {
  const list = breakList(selectionOf(area));
  if (list) edit(area, list);
  return list !== null;
}

/**
 * Makes the selected text of a text area a link if a URL is pasted over it. `isInCode` is passed in, since it belongs to
 * the first load and this code does not.
 */
export function pasteInto(event: ClipboardEvent, isInCode: (text: string, caret: number) => boolean): void {
  const area = event.currentTarget as HTMLTextAreaElement;
  const link = linkTo(event.clipboardData?.getData('text') ?? '', selectionOf(area));
  if (!link || isInCode(area.value, area.selectionStart)) return;
  event.preventDefault();
  edit(area, link);
}

export function selectionOf({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selection {
  return { text: value, start: selectionStart, end: selectionEnd };
}

/** Changes the text as if it were typed, so that it fires an input event and can be undone. */
export function edit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  const isTyped = insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert);
  if (!isTyped) {
    area.setRangeText(insert, from, to, 'end');
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}
