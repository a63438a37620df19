import type { UserRef, WriteTodoBody } from '@hub/contract';
import { dayFromNow, daysToMonday, dueInstant, dueText } from '../../lib/time/due.ts';
import { PRIORITIES, priorityLabel } from './todo-query.ts';

type ShorthandFields = Pick<WriteTodoBody, 'assigneeId' | 'dueDate' | 'priority'>;

/** A word of the text that is understood as a field. */
interface Chip {
  /** As written: "@Ada", "tomorrow", "!high". */
  written: string;
  /** As understood: "Ada Lovelace", "Tomorrow", "High". */
  label: string;
  fields: ShorthandFields;
}

interface Options {
  members: readonly UserRef[];
  nowMs: number;
  /** Words that are meant as written. */
  ignored: ReadonlySet<string>;
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const PRIORITY = /(?:^|\s)!(low|medium|high|urgent)$/i;
const DAY = new RegExp(
  `(?:^|\\s)(today|tomorrow|in \\d{1,3} days?|next week|\\d{4}-\\d{2}-\\d{2}|${WEEKDAYS.join('|')})$`,
  'i',
);

/** Reads "@name", a day and "!priority" at the end of the title of a new to-do, in any order. */
export function readShorthand(text: string, options: Options): { title: string; chips: readonly Chip[] } {
  const chips: Chip[] = [];
  let title = text.trim();
  for (;;) {
    const chip = lastChip(title, options);
    const [field] = Object.keys(chip?.fields ?? {});
    const isSecond = chips.some(({ fields }) => field !== undefined && field in fields);
    const rest = title.slice(0, title.length - (chip?.written.length ?? 0)).trimEnd();
    if (!chip || isSecond || rest === '' || options.ignored.has(chip.written)) return { title, chips };
    chips.unshift(chip);
    title = rest;
  }
}

function lastChip(text: string, { members, nowMs }: Options): Chip | null {
  const [, level] = PRIORITY.exec(text) ?? [];
  const priority = PRIORITIES.find((each) => each === level?.toUpperCase());
  if (priority) return { written: `!${level}`, label: priorityLabel(priority), fields: { priority } };
  const [, day] = DAY.exec(text) ?? [];
  const dueDate = day === undefined ? null : dayOf(day.toLowerCase(), nowMs);
  if (day !== undefined && dueDate) return { written: day, label: dueText(dueDate, nowMs), fields: { dueDate } };
  const user = memberAt(text, members);
  return user && { written: user.written, label: user.name, fields: { assigneeId: user.id } };
}

function dayOf(day: string, nowMs: number): string | null {
  if (day === 'today') return dayFromNow(0, nowMs);
  if (day === 'tomorrow') return dayFromNow(1, nowMs);
  const [days] = /\d+(?= day)/.exec(day) ?? [];
  if (days !== undefined) return dayFromNow(Number(days), nowMs);
  if (day === 'next week') return dayFromNow(daysToMonday(nowMs), nowMs);
  const weekday = WEEKDAYS.indexOf(day);
  // The name of this weekday means the one in a week.
  if (weekday >= 0) return dayFromNow(((weekday - new Date(nowMs).getDay() + 6) % 7) + 1, nowMs);
  return Number.isNaN(Date.parse(day)) ? null : dueInstant({ day, time: '' });
}

/** Finds the member whose name, or the only one whose first name or its beginning, ends the text after an `@`. */
function memberAt(text: string, members: readonly UserRef[]): { id: string; name: string; written: string } | null {
  const lower = text.toLowerCase();
  const isLast = (name: string) =>
    name !== '' && / @$|^@$/.test(` ${lower.slice(0, -name.length)}`.slice(-2)) && lower.endsWith(`@${name}`);
  const whole = members.find(({ name }) => isLast(name.toLowerCase()));
  const [, start = ''] = /(?:^|\s)@(\S+)$/.exec(lower) ?? [];
  const first = ({ name }: UserRef) => name.toLowerCase().split(' ', 1)[0] ?? '';
  const isStart = (member: UserRef) => start !== '' && first(member).startsWith(start);
  const named = members.filter((member) => isLast(first(member)));
  const [member, ...others] = whole ? [whole] : named.length > 0 ? named : members.filter(isStart);
  if (!member || others.length > 0) return null;
  const { length } = whole ? member.name : named.length > 0 ? first(member) : start;
  return { ...member, written: text.slice(-length - 1) };
}
