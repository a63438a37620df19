import type { Item, Message, Note, Todo } from '@hub/contract';
import { type Line, type Segment, styled } from '../../runtime/segments.ts';
import { showTime } from '../../runtime/times.ts';
import { shortened } from '../../runtime/wrap-line.ts';
import type { Snapshot } from './item-memory.ts';
import { bodyOf } from './item-text.ts';

export const NOUNS: Readonly<Record<Item['kind'], string>> = { message: 'message', note: 'note', todo: 'to-do' };

const DOT = styled('dim', ' · ');
const HINT_WIDTH = 40;

interface ItemLinesOptions {
  /** A label for an item that is not new: `edited`. */
  label?: string | undefined;
  /** The source message, if it is known. */
  source?: Snapshot | undefined;
}

/** Formats an item with its full text. */
export function itemLines(item: Item, { label, source }: ItemLinesOptions = {}): Line[] {
  // The label follows the author and names nobody, since events do not say who made the change.
  const mark = label === undefined ? [] : [' ', styled('yellow', `(${label})`)];
  const author: Line = item.kind === 'message' ? [...authorSegments(item), ...mark] : authorSegments(item);
  const body = bodyOf(item);
  if (item.kind === 'message') return messageLines(item, author, body);
  const title = titleOf(item);
  const head: Line = [
    ...author,
    DOT,
    styled('yellow', NOUNS[item.kind]),
    ...(title === undefined ? [] : [' ', ...title]),
    ...mark,
  ];
  const details = detailsOf(item, source);
  if (details.length > 0) head.push(' ', styled('dim', '('), ...details, styled('dim', ')'));
  return [head, ...body];
}

function messageLines(message: Message, author: Line, [first, ...others]: Line[]): Line[] {
  if (!first) return [[...author, ': ', styled('dim', message.deletedAt === null ? '(empty)' : '(deleted)')]];
  if (others.length === 0) return [[...author, ': ', ...first]];
  return [[...author, ':'], first, ...others];
}

/** `Hub, via ci` for the bot, else the name of the user. */
function authorSegments({ author, key }: Pick<Item, 'author' | 'key'>): Segment[] {
  const name = styled('bold', author.name);
  return key === null ? [name] : [name, styled('dim', `, via ${key.name}`)];
}

function titleOf(item: Note | Todo): Line | undefined {
  if (item.kind === 'todo') return todoTitle(item);
  return item.title === null ? undefined : [styled('bold', item.title)];
}

/** `☐ Renew the certificate` */
export function todoTitle({ status, title }: Todo): Line {
  return [status === 'done' ? styled('green', '☑ ') : '☐ ', styled('bold', title)];
}

function detailsOf(item: Note | Todo, source: Snapshot | undefined): Segment[] {
  const details: Segment[] = [];
  if (item.kind === 'todo') {
    if (item.priority !== null) details.push(prioritySegment(item.priority));
    if (item.dueDate !== null) details.push(styled('dim', `due ${showTime(item.dueDate)}`));
    if (item.assignee !== null) details.push(styled('dim', `assigned to ${item.assignee.name}`));
  }
  if (item.sourceId !== null)
    details.push(styled('dim', source ? `from a message by ${source.author}` : 'from a message'));
  return details.flatMap((detail, index) => (index === 0 ? [detail] : [styled('dim', ', '), detail]));
}

export function prioritySegment(priority: NonNullable<Todo['priority']>): Segment {
  const style = { LOW: 'dim', MEDIUM: 'dim', HIGH: 'yellow', URGENT: 'red' } as const;
  return styled(style[priority], priority);
}

/** Formats reactions, replies and edits of an older item; no lines if there are none. */
export function stateLines(item: Item): Line[] {
  const states: string[] = [];
  if (item.kind === 'message') {
    states.push(...item.reactions.map(({ emoji, personIds }) => `${emoji} ${personIds.length}`));
    if (item.replyCount > 0) states.push(item.replyCount === 1 ? '1 reply' : `${item.replyCount} replies`);
    if (item.conversion) states.push(`converted to a ${NOUNS[item.conversion.kind]}`);
  }
  if (item.editedAt !== null && item.deletedAt === null)
    states.push(item.editedBy ? `edited by ${item.editedBy.name}` : 'edited');
  if (item.kind === 'todo' && item.status === 'done') {
    states.push(item.finishedBy ? `done by ${item.finishedBy.name}` : 'done');
  }
  return states.length === 0 ? [] : [[styled('dim', states.join(' · '))]];
}

/** Formats a deletion with the last known text. Events do not say who deleted an item. */
export function deletionLine(kind: Item['kind'], before: Snapshot | undefined): Line {
  const gone: Line = [`a ${NOUNS[kind]}`];
  if (before) gone.push(' by ', styled('bold', before.author), before.isOfKey ? ',' : '');
  gone.push(' was ', styled('red', 'deleted'));
  if (before && before.hint !== '') gone.push(': ', styled('dim', shortened(before.hint, HINT_WIDTH)));
  return gone;
}

/** `Ada Lovelace: The first words of it` */
export function named({ author, hint }: Snapshot): string {
  return `${author}: ${shortened(hint, HINT_WIDTH)}`;
}
