import { usageError } from '../../runtime/errors.ts';

/** Options for text that does not fit into one post as it is. */
export interface LongTextOptions {
  code?: string;
  truncate?: 'head' | 'tail';
  runMarker?: string;
}

/** The longest line with both sizes of truncated text, with the empty line after it. */
const NOTE_SIZE = 80;
/** The characters that `@hub/client` adds around a run marker. */
const MARKER_SIZE = 8;
const LANGUAGE = /^[\w+#.-]{1,32}$/;

/** The hint for text over the limit of a post. */
export const LONG_TEXT_HINT =
  'Add --truncate head or --truncate tail to post a part, or attach it as a file: --attach FILE';

/** @throws a usage error for a language that would not be one. */
export function requireLanguage({ code }: LongTextOptions): void {
  if (code === undefined || LANGUAGE.test(code)) return;
  throw usageError(`Invalid --code language "${code}".`, 'Use a word such as sh, diff, json or text.');
}

/**
 * Returns the text to post. `limit` is the maximum number of code points. Text over the limit stays as it is without
 * `truncate`, so that the server rejects it; else it is cut at the end of a line, and says so.
 */
export function fitText(text: string, limit: number, { code, truncate, runMarker }: LongTextOptions): string {
  const wrapped = (part: string) => (code === undefined ? part : fencedCode(part, code));
  const room = limit - (runMarker === undefined ? 0 : runMarker.length + MARKER_SIZE);
  if (!truncate || sizeOf(wrapped(text)) <= room) return wrapped(text);
  const max = room - NOTE_SIZE - (wrapped(text).length - text.length);
  const part = truncate === 'head' ? headOf(text, max) : tailOf(text, max);
  const inTotal = `of ${sizeOf(text).toLocaleString('en-US')} characters`;
  const which = truncate === 'head' ? 'first' : 'last';
  return `*Truncated: the ${which} ${sizeOf(part).toLocaleString('en-US')} ${inTotal}*\n\n${wrapped(part)}`;
}

/** Returns a code block, with a fence that is longer than any in the text (CommonMark 0.31, section 4.5). */
export function fencedCode(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Returns the first lines that fit, or the beginning of a line that never would. */
function headOf(text: string, max: number): string {
  // A code point has at most two code units.
  const start = [...text.slice(0, 2 * max)].slice(0, max).join('');
  const end = start.lastIndexOf('\n');
  return end < start.length / 2 ? start : start.slice(0, end);
}

function tailOf(text: string, max: number): string {
  const end = [...text.slice(-2 * max)].slice(-max).join('');
  const start = end.indexOf('\n');
  return start < 0 || start > end.length / 2 ? end : end.slice(start + 1);
}

/** The length as the server counts it, in code points. */
function sizeOf(text: string): number {
  let size = 0;
  for (const _ of text) size += 1;
  return size;
}
