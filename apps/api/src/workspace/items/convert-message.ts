import { type ConvertMessageBody, type Item, LIMITS } from '@hub/contract';
import { blocksToMarkdown } from '@hub/contract/blocks/blocks-to-markdown';
import { blocksToText } from '@hub/contract/blocks/blocks-to-text';
import { type Caller, changeAs } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { ItemRecord } from '../../storage/items.ts';
import { firstLine, firstPlainLine } from './first-line.ts';
import { findUndeletedItem, MESSAGE } from './item-rights.ts';
import { itemView } from './item-view.ts';
import { appendItemEvent, type ItemFields, newItem, storedFields, storeItem } from './write-item.ts';

const MAX_CONTENT = { todo: LIMITS.todoContentCodePoints, note: LIMITS.noteContentCodePoints };
const NOUNS = { todo: 'a to-do', note: 'a note' };

/** Converts a message to a to-do or a note that links back to it. `isNew: false` if it was converted before. */
export async function convertMessage(
  deps: Deps,
  caller: Caller,
  messageId: string | null,
  body: ConvertMessageBody,
): Promise<{ item: Item; isNew: boolean }> {
  const converted = await changeAs(deps, caller, async (tx, current) => {
    const message = await findUndeletedItem(tx, current, messageId, MESSAGE);
    const former = message.conversionId === null ? null : await tx.items.find(message.conversionId);
    if (former && former.deletedAt === null) return { item: former, isNew: false };
    const fields = { hubId: message.hubId, sourceId: message.id, ...fieldsOf(message, body) };
    const item = await storeItem(tx, newItem(deps, current, fields));
    const at = item.createdAt;
    await tx.items.update(message, { conversionId: item.id, conversionKind: body.to }, at);
    await appendItemEvent(tx, message, { change: 'changed', at });
    return { item, isNew: true };
  });
  return { item: itemView(converted.item), isNew: converted.isNew };
}

function fieldsOf(
  message: ItemRecord,
  { to, title, content, ...todoFields }: ConvertMessageBody,
): Omit<ItemFields, 'hubId'> {
  const { markdown, line, text } = textsOf(message);
  const body = content ?? wholeText(markdown, to);
  if (to === 'note') {
    rejectTodoFields(todoFields);
    return { kind: 'note', title: title ?? null, body };
  }
  const shownTitle = title ?? requireTitle(line);
  // The text of the message would only repeat the title.
  const isRepeated = content === undefined && shownTitle === text;
  return { kind: 'todo', ...storedFields(todoFields), title: shownTitle, body: isRepeated ? null : body };
}

/** Returns the text of a message as Markdown, the line for its title, and the text to compare that line with. */
function textsOf({ body, blocks }: ItemRecord): { markdown: string; line: string | null; text: string } {
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

/** Returns the text, or throws `invalid` if it is too long: a truncated copy would look complete. */
function wholeText(text: string, to: 'todo' | 'note'): string {
  const size = Array.from(text).length;
  if (size <= MAX_CONTENT[to]) return text;
  throw new AppError(
    'invalid',
    `The text of this message has ${size} characters; ${NOUNS[to]} can hold ${MAX_CONTENT[to]}: send shorter content`,
  );
}

function requireTitle(line: string | null): string {
  if (line === null) throw new AppError('invalid', 'This message has no text to use as a title: send a title');
  return line;
}

function rejectTodoFields(fields: Record<string, unknown>): void {
  const [name] = Object.keys(fields).sort();
  if (name === undefined) return;
  throw new AppError('invalid', `${name} is not a field of a note: leave it out, or convert the message to a to-do`);
}
