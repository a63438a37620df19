import type { EventFrame } from '@hub/client/live';
import type { Item, Message, Note, Todo } from '@hub/contract';
import { count, showTime } from '../../runtime/format.ts';
import { type Line, type Segment, styled, textOf } from '../../runtime/output.ts';
import { shortened, textWidth } from '../../runtime/terminal-text.ts';
import type { Change } from './item-memory.ts';
import { bodyOf, type Snapshot, snapshotOf } from './item-memory.ts';

/** A Hub with its current name. */
export interface NamedHub {
  readonly id: string;
  name: string;
}

const NOUNS: Readonly<Record<Item['kind'], string>> = { message: 'message', note: 'note', todo: 'to-do' };

const DOT = styled('dim', ' · ');
const HINT_WIDTH = 40;

interface ItemLinesOptions {
  /** The width of the body; 0 for any width. */
  columns: number;
  /** A label for an item that is not new: `edited`. */
  label?: string | undefined;
  /** The source message, if it is known. */
  source?: Snapshot | undefined;
}

/** Formats an item with its full text. */
export function itemLines(item: Item, { label, source, columns }: ItemLinesOptions): Line[] {
  // The label follows the author and names nobody, since events do not say who made the change.
  const mark = label === undefined ? [] : [' ', styled('yellow', `(${label})`)];
  const author: Line = item.kind === 'message' ? [...authorSegments(item), ...mark] : authorSegments(item);
  const unwrapped = bodyOf(item);
  const body = columns > 0 && unwrapped.some((line) => isTooWide(line, columns)) ? bodyOf(item, columns) : unwrapped;
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

/** Returns whether a line belongs to a table or a rule that does not fit the width. Text is wrapped when it is printed. */
function isTooWide(line: Line, columns: number): boolean {
  const text = textOf(line);
  return /^[\s│]*[┌─═]{2}/.test(text) && textWidth(text) > columns;
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
function todoTitle({ status, title }: Todo): Line {
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

function prioritySegment(priority: NonNullable<Todo['priority']>): Segment {
  const style = { LOW: 'dim', MEDIUM: 'dim', HIGH: 'yellow', URGENT: 'red' } as const;
  return styled(style[priority], priority);
}

/** Formats reactions, replies and edits of an older item; no lines if there are none. */
export function stateLines(item: Item): Line[] {
  const states: string[] = [];
  if (item.kind === 'message') {
    states.push(...item.reactions.map(({ emoji, userIds }) => `${emoji} ${userIds.length}`));
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

/** Formats a change. `who` is the user who made it, if known. For an edit, the edited item is shown instead. */
export function changeLine(item: Item, change: Exclude<Change, { kind: 'edited' }>, who: string): Line {
  const what = styled('dim', named(snapshotOf(item)));
  switch (change.kind) {
    case 'reacted':
      return [styled('bold', who), ` reacted ${change.emoji} to `, what];
    case 'unreacted':
      return [styled('bold', who), ` removed ${change.emoji} from `, what];
    case 'converted':
      return [what, ` was converted to a ${NOUNS[change.to]}`];
    default:
      return [...(item.kind === 'todo' ? todoTitle(item) : [what]), ': ', ...todoChange(change)];
  }
}

type TodoChange = Extract<Change, { kind: 'finished' | 'reopened' | 'assigned' | 'due' | 'priority' }>;

function todoChange(change: TodoChange): Line {
  switch (change.kind) {
    case 'finished':
      return [styled('green', 'done'), ...(change.by === null ? [] : [' by ', styled('bold', change.by)])];
    case 'reopened':
      return [styled('yellow', 'reopened')];
    case 'assigned':
      return change.to === null ? ['unassigned'] : ['assigned to ', styled('bold', change.to)];
    case 'due':
      return [change.at === null ? 'due date removed' : `due ${showTime(change.at)}`];
    case 'priority':
      return change.to === null ? ['priority removed'] : ['priority ', prioritySegment(change.to)];
  }
}

type HubEvent = Exclude<EventFrame, { data: { kind: unknown } }>;

/** Formats an event of the Hub itself; undefined for events that are unknown or not worth showing. */
export function hubEventLine(hub: NamedHub, event: HubEvent): Line | undefined {
  switch (event.event) {
    case 'member.added':
      return [styled('green', '+ '), styled('bold', event.data.name), ' joined the Hub'];
    case 'member.removed':
      return [styled('red', '- '), styled('bold', event.data.name), ' is no longer a member of the Hub'];
    case 'member.changed':
      return undefined;
    case 'hub.changed':
      return hub.name === event.data.name
        ? [keepsLine(event.data.retentionDays)]
        : ['The Hub ', styled('bold', hub.name), ' was renamed to ', styled('bold', event.data.name)];
    case 'hub.deleted':
      return [styled('red', 'The Hub was deleted')];
    case 'hub.restored':
      return [styled('green', 'The Hub was restored')];
    case 'items.pruned':
      return [styled('dim', `Items older than ${showTime(event.data.before)} were deleted`)];
  }
}

function keepsLine(days: number | null): string {
  return days === null ? 'The Hub now keeps items forever' : `The Hub now keeps items for ${count(days, 'day')}`;
}
