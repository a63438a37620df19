import SquareCheckBig from 'icon:square-check-big';
import StickyNote from 'icon:sticky-note';
import type { Message, Todo } from '@hub/contract';
import { useItem } from '../items/use-item.ts';
import { withPanel } from '../router/location.ts';
import { daysAgo, shortTime } from '../time/format.ts';
import { now } from '../time/now.ts';

const SOON_DAYS = 6;
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' });

/** What a message was turned into, and how that stands. What became of it may be gone. */
export function Became({ conversion }: { conversion: NonNullable<Message['conversion']> }) {
  const found = useItem(conversion.id);
  if (found.status !== 'found') return null;
  const { item } = found;
  if (item.kind === 'message') return null;
  const isDone = item.kind === 'todo' && item.status === 'done';
  return (
    <div class="under">
      <a class={isDone ? 'became is-done' : 'became'} href={withPanel(item.id)}>
        {item.kind === 'todo' ? <SquareCheckBig /> : <StickyNote />}
        <span class="t">{item.title ?? firstLine(item.content ?? '')}</span>
        <span class="m">{item.kind === 'todo' ? standingOf(item, now.value) : 'note'}</span>
      </a>
    </div>
  );
}

/** "open · Tomás · due today". */
export function standingOf({ status, assignee, dueDate, finishedBy }: Todo, nowMs: number): string {
  const who = (status === 'done' ? finishedBy : assignee)?.name.split(' ')[0];
  const due = status === 'open' && dueDate !== null ? dueWords(dueDate, nowMs) : undefined;
  return [status, who, due].filter(Boolean).join(' · ');
}

function dueWords(dueDate: string, nowMs: number): string {
  const ago = daysAgo(dueDate, nowMs);
  if (Date.parse(dueDate) < nowMs) return 'overdue';
  if (ago === 0) return 'due today';
  if (ago === -1) return 'due tomorrow';
  if (ago >= -SOON_DAYS) return `due ${weekday.format(new Date(dueDate))}`;
  return `due ${shortTime(dueDate, nowMs)}`;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
