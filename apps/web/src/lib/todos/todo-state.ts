import type { Todo } from '@hub/contract';
import { dueGroup, dueText } from './due.ts';

/** Returns a summary: "open · Tomás · due Fri 13 Nov", "done · Ines". */
export function todoStatusText({ status, assignee, finishedBy, dueDate }: Todo, nowMs: number): string {
  const who = (status === 'done' ? finishedBy : assignee)?.name.split(' ')[0];
  const due = status === 'open' && dueDate !== null ? dueStatus(dueDate, nowMs) : undefined;
  return [status, who, due].filter(Boolean).join(' · ');
}

function dueStatus(dueDate: string, nowMs: number): string {
  const group = dueGroup(dueDate, nowMs);
  if (group === 'overdue') return group;
  const text = dueText(dueDate, nowMs);
  if (group === 'today') return text === 'Today' ? 'due today' : `due today, ${text}`;
  return `due ${text.replace(/^Tomorrow/, 'tomorrow')}`;
}
