import { failed, usageError } from '../../runtime/errors.ts';

/** Options for text that does not fit into one post as it is. */
interface LongTextOptions {
  code?: string;
  split?: boolean;
  truncate?: 'head' | 'tail';
  runMarker?: string;
}

/** More posts would block the key. */
const MAX_PARTS = 60;
/** The longest `(60/60)` with the empty line after it. */
const NUMBER_SIZE = 9;
/** The longest line with both sizes of truncated text, with the empty line before it. */
const NOTE_SIZE = 80;
/** The characters that `@hub/client` adds around a run marker. */
const MARKER_SIZE = 8;
/** The opening line of a fenced code block in Markdown. */
const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]{0,60})$/;
/** Room in a piece for the lines that close and open a code block. */
const LINE_MARGIN = 200;
const LANGUAGE = /^[\w+#.-]{1,32}$/;

/** @throws a usage error for options that cannot be combined. */
export function requireTextOptions({ code, split, truncate }: LongTextOptions): void {
  if (split && truncate) throw usageError('Use either --split or --truncate, not both.');
  if (code === undefined || LANGUAGE.test(code)) return;
  throw usageError(`Invalid --code language "${code}".`, 'Use a word such as sh, diff, json or text.');
}

/**
 * Returns the texts to post: one, or several numbered parts with `split`. `limit` is the maximum number of code points of
 * each. Text over the limit stays as it is without `split` or `truncate`, so that the server rejects it.
 */
export function fitText(text: string, limit: number, options: LongTextOptions): string[] {
  const { code, split, truncate, runMarker } = options;
  const room = limit - (runMarker === undefined ? 0 : runMarker.length + MARKER_SIZE);
  const fence = code === undefined ? '' : fenceAround(text);
  const wrapped = (part: string) => (code === undefined ? part : fencedCode(part, code, fence));
  const wrapSize = wrapped('').length;
  const size = sizeOf(text);
  if (size + wrapSize <= room || !(split || truncate)) return [wrapped(text)];
  const inTotal = `of ${size.toLocaleString('en-US')} characters*`;
  if (truncate === 'tail') {
    const last = tailOf(text, room - wrapSize - NOTE_SIZE, code === undefined);
    // First, since the end of the text may be in a code block.
    return [`*Truncated: the last ${sizeOf(last).toLocaleString('en-US')} ${inTotal}\n\n${wrapped(last)}`];
  }
  if (truncate === 'head') {
    const [first = ''] = pieces(text, room - wrapSize - NOTE_SIZE, code === undefined);
    return [`${wrapped(first)}\n\n*Truncated: the first ${sizeOf(first).toLocaleString('en-US')} ${inTotal}`];
  }
  const parts = [...pieces(text, room - wrapSize - NUMBER_SIZE, code === undefined)];
  if (parts.length > MAX_PARTS) {
    throw failed(
      'too_large',
      `The text would be split into ${parts.length} posts; at most ${MAX_PARTS} are possible.`,
      'Add --truncate instead of --split, or post the important part.',
    );
  }
  return parts.map((part, index) => `(${index + 1}/${parts.length})\n\n${wrapped(part)}`);
}

/** Returns what to do about text over the limit of a post. */
export function longTextHint(kind: string): string {
  const parts = kind === 'todo' ? '' : '--split to post it in parts, ';
  return `Add ${parts}--truncate to post the beginning, or --truncate=tail to post the end.`;
}

/** Returns a code block. */
export function fencedCode(text: string, language: string, fence = fenceAround(text)): string {
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Returns a fence that is longer than any in the text (CommonMark 0.31, section 4.5). */
function fenceAround(text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  return '`'.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
}

/**
 * Splits text at line ends into pieces of at most `room` code points. Only a line that is longer than that is split
 * within. In Markdown, a code block that continues in the next piece is closed and opened again.
 */
function* pieces(text: string, room: number, isMarkdown: boolean): Generator<string> {
  let lines = '';
  let size = 0;
  let opener: string | null = null;
  /** The opening line that the piece began with. */
  let reopened: string | null = null;
  const piece = () =>
    [reopened ?? [], lines.replace(/\n$/, ''), opener === null ? [] : fenceOf(opener)].flat().join('\n');
  const reserve = () => (reopened?.length ?? 0) + (opener === null ? 0 : fenceOf(opener).length) + 2;
  for (const line of linesWithin(text, Math.max(1, room - LINE_MARGIN))) {
    const bare = line.replace(/\r?\n$/, '');
    const lineSize = sizeOf(line);
    // A line may open a code block, which then has to be closed in the same piece.
    const closing = isMarkdown && opener === null ? fenceOf(bare).length + 1 : 0;
    if (size > 0 && size + lineSize + closing + reserve() > room) {
      yield piece();
      reopened = opener;
      lines = '';
      size = 0;
    }
    lines += line;
    size += lineSize;
    if (!isMarkdown) continue;
    if (opener === null) opener = FENCE.test(bare) ? bare : null;
    else if (closes(bare, fenceOf(opener))) opener = null;
  }
  if (size > 0) yield piece();
}

/**
 * Returns the last lines that fit into `room`, and the end of a line that never would. If they begin within a code block,
 * its opening line comes first.
 */
function tailOf(text: string, room: number, isMarkdown: boolean): string {
  const lines = text.split(/(?<=\n)/);
  let from = lines.length;
  let size = 0;
  while (from > 0 && size + sizeOf(lines[from - 1] ?? '') <= room) {
    from -= 1;
    size += sizeOf(lines[from] ?? '');
  }
  const next = [...(lines[from - 1] ?? '')];
  const left = room - LINE_MARGIN - size;
  if (next.length > room - LINE_MARGIN && left > 0) {
    from -= 1;
    lines[from] = next.slice(-left).join('');
    size += left;
  }
  if (!isMarkdown) return lines.slice(from).join('');
  for (;;) {
    const opener = openerBefore(lines, from);
    if (opener === null) return lines.slice(from).join('');
    if (size + opener.length + 1 <= room) return `${opener}\n${lines.slice(from).join('')}`;
    size -= sizeOf(lines[from] ?? '');
    from += 1;
  }
}

/** Returns the opening line of the code block that contains the end of the first `count` lines, or `null`. */
function openerBefore(lines: readonly string[], count: number): string | null {
  let opener: string | null = null;
  for (let index = 0; index < count; index += 1) {
    const bare = (lines[index] ?? '').replace(/\r?\n$/, '');
    if (opener === null) opener = FENCE.test(bare) ? bare : null;
    else if (closes(bare, fenceOf(opener))) opener = null;
  }
  return opener;
}

const fenceOf = (line: string) => FENCE.exec(line)?.[1] ?? '';

function closes(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && [...text].every((character) => character === fence[0]);
}

/** Returns the lines with their line ends; lines over the maximum in several pieces. */
function* linesWithin(text: string, maxSize: number): Generator<string> {
  for (const line of text.split(/(?<=\n)/)) {
    if (line.length <= maxSize) {
      yield line;
      continue;
    }
    const characters = [...line];
    for (let from = 0; from < characters.length; from += maxSize) {
      yield characters.slice(from, from + maxSize).join('');
    }
  }
}

/** The length as the server counts it, in code points. */
function sizeOf(text: string): number {
  let size = 0;
  for (const _ of text) size += 1;
  return size;
}
