import { type ConvertMessageBody, type Item, LIMITS } from '@hub/contract';
import { blocksToMarkdown } from '@hub/contract/blocks/blocks-to-markdown';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import type { Caller } from '../actor.ts';
import { parseDateTime } from '../date-time.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { ItemRecord } from '../store/item-store.ts';
import { firstLine, firstPlainLine } from './first-line.ts';
import { MESSAGE, presentItem } from './item-rights.ts';
import { itemView } from './item-view.ts';
import { type ItemFields, newItem } from './new-item.ts';

const MAX_CONTENT = { todo: LIMITS.todoContentCodePoints, note: LIMITS.noteContentCodePoints };
const CALLED = { todo: 'a to-do', note: 'a note' };

/**
 * Turns a message, be it of the bot or of a person, into a to-do or a note that links back. What was converted before, perhaps
 * by somebody else at the same moment, stays what it became: `isNew` is false then.
 */
export async function convertMessage(
  deps: Deps,
  caller: Caller,
  messageId: string | null,
  body: ConvertMessageBody,
): Promise<{ item: Item; isNew: boolean }> {
  const message = await presentItem(deps, caller, messageId, MESSAGE);
  const former = message.conversionId === null ? null : await deps.store.items.find(message.conversionId);
  if (former && former.deletedAt === null) return { item: itemView(former), isNew: false };
  const item = newItem(deps, caller, { hubId: message.hubId, sourceId: message.id, ...fieldsOf(message, body) });
  const converted = await deps.store.items.convert({ messageId: message.id, item });
  return { item: itemView(converted.item), isNew: converted.isNew };
}

function fieldsOf(message: ItemRecord, body: ConvertMessageBody): Omit<ItemFields, 'hubId'> {
  const { to, assigneeId, dueDate, priority } = body;
  const { markdown, line, text } = wordsIn(message);
  const content = body.content ?? wholeText(markdown, to);
  if (to === 'note') {
    rejectTodoFields({ assigneeId, dueDate, priority });
    return { kind: 'note', title: body.title ?? null, body: content };
  }
  const title = body.title ?? requireTitle(line);
  return {
    kind: 'todo',
    title,
    // Nobody wants to read the same twice.
    body: body.content === undefined && title === text ? null : content,
    dueAt: dueDate === undefined ? null : parseDateTime(dueDate),
    priority: priority ?? null,
    assigneeId: assigneeId ?? null,
  };
}

/** What a message says as Markdown, the line of it that could be a title, and all of it as a title would have it. */
function wordsIn({ body, blocks }: ItemRecord): { markdown: string; line: string | null; text: string } {
  if (blocks === null) {
    const markdown = body ?? '';
    return { markdown, line: firstLine(markdown, LIMITS.titleCodePoints), text: markdown.trim() };
  }
  const parsed = JSON.parse(blocks);
  const text = blocksToText(parsed);
  return {
    markdown: blocksToMarkdown(parsed),
    line: firstPlainLine(text, LIMITS.titleCodePoints),
    text: text.trim().replace(/^#{1,6} /, ''),
  };
}

/** All of it or nothing: a part that looks like the whole would mislead. */
function wholeText(text: string, to: 'todo' | 'note'): string {
  const size = Array.from(text).length;
  if (size <= MAX_CONTENT[to]) return text;
  throw new AppError(
    'invalid',
    `The text of this message has ${size} characters, more than the ${MAX_CONTENT[to]} that ${CALLED[to]} can hold: send content with what matters of it`,
  );
}

function requireTitle(line: string | null): string {
  if (line === null) throw new AppError('invalid', 'This message has no line that could be a title: send a title');
  return line;
}

function rejectTodoFields(fields: Record<string, unknown>): void {
  const [name] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  throw new AppError('invalid', `${name} is not a field of a note: leave it out, or convert the message to a todo`);
}
