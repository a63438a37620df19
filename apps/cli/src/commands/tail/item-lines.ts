import type { EventFrame } from '@hub/client/live';
import type { Item, Question, Todo } from '@hub/contract';
import { count, showTime } from '../../runtime/format.ts';
import { type Line, type Segment, styled } from '../../runtime/output.ts';
import { bodyOf, hintOf } from '../../runtime/post-lines.ts';
import { shortened } from '../../runtime/terminal-text.ts';

/** A Hub with its current name. */
export interface NamedHub {
  readonly id: string;
  name: string;
}

export const NOUNS: Readonly<Record<Item['kind'], string>> = { message: 'message', note: 'note', todo: 'to-do' };

const DOT = styled('dim', ' · ');
const HINT_WIDTH = 40;

/** Formats an item with its full text. `label` is for one that is not new. */
export function itemLines(item: Item, label?: string): Line[] {
  const mark = label === undefined ? [] : [' ', styled('yellow', `(${label})`)];
  const [first, ...others] = bodyOf(item);
  if (item.kind === 'message') {
    const author: Line = [...authorSegments(item), ...mark];
    if (!first) return [[...author, ': ', styled('dim', item.deletedAt === null ? '(empty)' : '(deleted)')]];
    return others.length === 0 ? [[...author, ': ', ...first]] : [[...author, ':'], first, ...others];
  }
  const title = item.kind === 'todo' ? todoTitle(item) : item.title === null ? [] : [styled('bold', item.title)];
  const details = detailsOf(item);
  const head: Line = [
    ...[...authorSegments(item), DOT, styled('yellow', NOUNS[item.kind])],
    ...(title.length === 0 ? [] : [' ', ...title]),
    ...mark,
    ...(details.length === 0 ? [] : [styled('dim', ` (${details.join(', ')})`)]),
  ];
  return first === undefined ? [head] : [head, first, ...others];
}

/** `ci (bot)` for a post made with a key, else the name of the user. */
function authorSegments({ author, key }: Item): Segment[] {
  return key === null ? [styled('bold', author.name)] : [styled('bold', key.name), styled('dim', ' (bot)')];
}

/** `☐ Renew the certificate` */
function todoTitle({ status, title }: Todo): Line {
  return [status === 'done' ? styled('green', '☑ ') : '☐ ', styled('bold', title)];
}

function detailsOf(item: Exclude<Item, { kind: 'message' }>): string[] {
  const details: string[] = [];
  if (item.kind === 'todo') {
    if (item.priority !== null) details.push(item.priority);
    if (item.dueDate !== null) details.push(`due ${showTime(item.dueDate)}`);
    if (item.assignee !== null) details.push(`assigned to ${item.assignee.name}`);
  }
  if (item.sourceId !== null) details.push('from a message');
  return details;
}

/** Formats reactions, replies, edits and the completion of an item; no text if there are none. */
export function stateOf(item: Item): string {
  const states: string[] = [];
  if (item.kind === 'message') {
    states.push(...item.reactions.map(({ emoji, userIds }) => `${emoji} ${userIds.length}`));
    if (item.conversion) states.push(`converted to a ${NOUNS[item.conversion.kind]}`);
    if (item.question) states.push(questionState(item.question));
  }
  if (item.replyCount > 0) states.push(item.replyCount === 1 ? '1 reply' : `${item.replyCount} replies`);
  if (item.editedAt !== null && item.deletedAt === null)
    states.push(item.editedBy ? `edited by ${item.editedBy.name}` : 'edited');
  if (item.kind === 'todo' && item.status === 'done') {
    states.push(item.finishedBy ? `done by ${item.finishedBy.name}` : 'done');
  }
  return states.join(' · ');
}

function questionState({ choices, expiresAt, state, answer }: Question): string {
  if (answer) return `answered${answer.choice === null ? '' : ` “${answer.choice}”`} by ${answer.by.name}`;
  const options = choices ? `: ${choices.join(', ')}` : '';
  return state === 'expired' ? 'expired without an answer' : `question${options}, until ${showTime(expiresAt)}`;
}

/** Formats an item that was changed: its name, and its current state, since events do not say what was changed. */
export function changedLine(item: Item): Line {
  const details = item.kind === 'message' ? [] : detailsOf(item);
  const state = [...(stateOf(item) === '' ? [] : [stateOf(item)]), ...details].join(', ');
  const what = item.kind === 'todo' ? todoTitle(item) : [styled('dim', named(item))];
  return [styled('yellow', 'changed: '), ...what, ...(state === '' ? [] : [DOT, state])];
}

/** `Ada Lovelace: The first words of it` */
export function named(item: Item): string {
  const name = item.key === null ? item.author.name : `${item.key.name} (bot)`;
  return item.deletedAt === null ? `${name}: ${shortened(hintOf(item), HINT_WIDTH)}` : 'a deleted message';
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
      if (event.data.pinnedIds) return [`The Hub now has ${count(event.data.pinnedIds.length, 'pinned item')}`];
      return hub.name === event.data.name
        ? [keepsLine(event.data.retentionDays), event.data.topic === null ? '' : `. Topic: ${event.data.topic}`]
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
