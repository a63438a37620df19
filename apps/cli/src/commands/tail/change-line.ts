import type { Item } from '@hub/contract';
import type { Line } from '../../runtime/markdown-lines.ts';
import { styled } from '../../runtime/output.ts';
import { showTime } from '../../runtime/times.ts';
import type { Change } from './item-changes.ts';
import { NOUNS, named, prioritySegment, todoTitle } from './item-lines.ts';
import { snapshotOf } from './item-memory.ts';

/** What is told of a change; `who` did it, where the event says so. An edit is told by the item itself. */
export function changeLine(item: Item, change: Exclude<Change, { kind: 'edited' }>, who: string): Line {
  const what = styled('dim', named(snapshotOf(item)));
  switch (change.kind) {
    case 'reacted':
      return [styled('bold', who), ` reacted ${change.emoji} to `, what];
    case 'unreacted':
      return [styled('bold', who), ` took ${change.emoji} back from `, what];
    case 'converted':
      return [what, ` became a ${NOUNS[change.to]}`];
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
      return change.to === null ? ['for nobody any more'] : ['for ', styled('bold', change.to)];
    case 'due':
      return [change.at === null ? 'not due at any time any more' : `due ${showTime(change.at)}`];
    case 'priority':
      return change.to === null ? ['without a priority now'] : ['priority ', prioritySegment(change.to)];
  }
}
