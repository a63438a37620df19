import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { now } from '../../lib/time/now.ts';
import { dayFromNow, daysToNextWorkWeek, dueFields, dueInstant } from '../../lib/todos/due.ts';

/** Years below this are ignored, because they occur while a year is being typed digit by digit. */
const FIRST_YEAR = 2000;

interface DueEditorProps {
  dueDate: string | null;
  /** Called on every change. */
  onChange: (dueDate: string | null) => void;
  onClose: () => void;
}

/** Edits a due date in the reader's time zone: four quick choices, or a day and an optional time. */
export function DueEditor({ dueDate, onChange, onClose }: DueEditorProps) {
  const box = useRef<HTMLFieldSetElement>(null);
  const [fields, setFields] = useState(() => dueFields(dueDate));
  useLayoutEffect(() => box.current?.querySelector('button')?.focus(), []);
  const choose = (next: string | null) => {
    onChange(next);
    onClose();
    focusOpener(box.current);
  };
  const type = (change: Partial<typeof fields>) => {
    const next = { ...fields, ...change };
    setFields(next);
    if (next.day === '' || Number(next.day.slice(0, 4)) < FIRST_YEAR) return;
    onChange(dueInstant(next));
  };
  const nowMs = now.value;
  /** Keeps the time, unless that has already passed. */
  const chooseDay = (days: number) => {
    const day = dayFromNow(days, nowMs);
    const atTime = dueInstant({ ...fields, day: dueFields(day).day });
    choose(atTime !== null && Date.parse(atTime) > nowMs ? atTime : day);
  };
  return (
    <fieldset
      class="due-edit"
      ref={box}
      aria-label="Due"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
        focusOpener(box.current);
      }}
    >
      <div class="quick">
        <button class="btn is-small" type="button" onClick={() => chooseDay(0)}>
          Today
        </button>
        <button class="btn is-small" type="button" onClick={() => chooseDay(1)}>
          Tomorrow
        </button>
        <button class="btn is-small" type="button" onClick={() => chooseDay(daysToNextWorkWeek(nowMs))}>
          Next week
        </button>
        <button class="btn is-small" type="button" onClick={() => choose(null)}>
          No date
        </button>
      </div>
      <div class="exact">
        <input
          type="date"
          aria-label="Day"
          value={fields.day}
          onChange={({ currentTarget }) => type({ day: currentTarget.value })}
        />
        <input
          type="time"
          aria-label="Time (optional)"
          value={fields.time}
          disabled={fields.day === ''}
          onChange={({ currentTarget }) => type({ time: currentTarget.value })}
        />
        <button class="btn is-small is-bare" type="button" onClick={() => choose(dueInstant(fields))}>
          Close
        </button>
      </div>
    </fieldset>
  );
}

/** Focuses the element before the editor: the button that opened it. */
function focusOpener(box: HTMLElement | null): void {
  const opener = box?.previousElementSibling;
  if (opener instanceof HTMLElement) opener.focus();
}
