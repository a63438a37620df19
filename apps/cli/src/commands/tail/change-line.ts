import type { Item } from '@hub/contract';
import { type Line, styled } from '../../runtime/segments.ts';
import { showTime } from '../../runtime/times.ts';
import type { Change } from './item-changes.ts';
import { NOUNS, named, prioritySegment, todoTitle } from './item-lines.ts';
import { snapshotOf } from './item-memory.ts';

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
