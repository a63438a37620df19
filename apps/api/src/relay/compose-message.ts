import { LIMITS } from '@hub/contract';
import { codeBlockMarkdown } from './relay-markdown.ts';

const MOST = LIMITS.messageTextCodePoints;
const TRUNCATED = `\n\n_Hub truncated this message: it has more than ${MOST.toLocaleString('en')} characters._`;
const SEPARATOR = '\n\n';

/** JSON is shown up to this depth. */
const MAX_JSON_DEPTH = 12;

/** Reads a payload as parts of a message in Markdown. A payload that it does not understand has no parts. */
export type Translate = (payload: unknown) => Iterable<string>;

/**
 * Returns the text of a message. A payload that `translate` does not understand is shown as JSON. A message over the
 * limit ends with the last line that fits, and says so; the rest of the payload is not translated.
 */
export function composeMessage(translate: Translate, payload: unknown, sender: string): string {
  return joined(translate(payload)) || joined([unknownPayload(payload, sender)]);
}

function joined(parts: Iterable<string>): string {
  let text = '';
  let left = MOST - TRUNCATED.length;
  for (const part of parts) {
    if (part === '') continue;
    const added = text === '' ? part : SEPARATOR + part;
    const size = codePoints(added);
    if (size > left) {
      const beginning = leadingLines(part, left - SEPARATOR.length);
      return `${text}${beginning === '' || text === '' ? '' : SEPARATOR}${beginning}${TRUNCATED}`;
    }
    text += added;
    left -= size;
  }
  return text;
}

function codePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Returns as many lines of Markdown as fit. If they end within a code block, the block is closed. */
function leadingLines(markdown: string, maxCodePoints: number): string {
  const lines: string[] = [];
  let left = maxCodePoints;
  let fence = '';
  for (const line of markdown.split('\n')) {
    const [, marks = ''] = /^((?:> )?`{3,})/.exec(line) ?? [];
    const isEnd = fence !== '' && line === fence;
    const next = isEnd ? '' : fence || marks;
    left -= codePoints(line) + 1;
    if (left < (next === '' ? 0 : next.length + 1)) break;
    lines.push(line);
    fence = next;
  }
  if (fence !== '') lines.push(fence);
  return lines.join('\n');
}

function unknownPayload(payload: unknown, sender: string): string {
  const json = JSON.stringify(withoutDepth(payload, MAX_JSON_DEPTH), null, 2);
  // More would be truncated, but splitting it into lines takes time.
  return `**Unknown ${sender} payload**\n\n${codeBlockMarkdown(json.slice(0, 2 * MOST), 'json')}`;
}

/** Returns a value without the content of what is deeper, for which neither the stack nor a line has room. */
function withoutDepth(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((element) => withoutDepth(element, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutDepth(inner, levels - 1)]));
}
