import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shortDate } from '../../lib/time/format.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { SearchTime } from './search-times.ts';

const PRESETS = [
  { last: 1, name: 'Today' },
  { last: 7, name: 'Last 7 days' },
  { last: 30, name: 'Last 30 days' },
  { last: 365, name: 'Last 365 days' },
];

interface TimeChoiceProps {
  icon: ComponentChildren;
  chosen: SearchTime | null;
  onChoose: (time: SearchTime | null) => void;
}

/** The filter by creation time: the last few days or a custom range. */
export function TimeChoice({ icon, chosen, onChoose }: TimeChoiceProps) {
  const [isNaming, setNaming] = useState(false);
  const last = chosen !== null && 'last' in chosen ? chosen.last : null;
  return (
    <>
      <Choice
        label="Time"
        icon={icon}
        all="Any time"
        chosen={chosen && nameOf(chosen)}
        items={() => [
          { label: 'Any time', isChosen: chosen === null, run: () => onChoose(null) },
          ...PRESETS.map((preset) => ({
            label: preset.name,
            isChosen: preset.last === last,
            run: () => onChoose({ last: preset.last }),
          })),
          {
            label: 'Custom range',
            isChosen: chosen !== null && last === null,
            isNewGroup: true,
            run: () => setNaming(true),
          },
        ]}
      />
      {isNaming && <DaysDialog chosen={chosen} onChoose={onChoose} onClose={() => setNaming(false)} />}
    </>
  );
}

interface DaysDialogProps {
  chosen: SearchTime | null;
  onChoose: (time: SearchTime) => void;
  onClose: () => void;
}

function DaysDialog({ chosen, onChoose, onClose }: DaysDialogProps) {
  const days = chosen !== null && 'from' in chosen ? chosen : { from: '', to: '' };
  const [from, setFrom] = useState(days.from);
  const [to, setTo] = useState(days.to);
  const isEmpty = from === '' && to === '';
  return (
    <Dialog
      title="Custom range"
      lead="Includes both days. Leave one empty for an open range."
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-main" type="submit" form="search-days" disabled={isEmpty}>
            Apply
          </button>
        </>
      }
    >
      <form
        id="search-days"
        class="day-span"
        onSubmit={(event) => {
          event.preventDefault();
          if (isEmpty) return;
          // Swapped days mean the same range.
          onChoose(from !== '' && to !== '' && from > to ? { from: to, to: from } : { from, to });
          onClose();
        }}
      >
        <div class="field">
          <label for="from-day">From</label>
          <input id="from-day" type="date" value={from} onInput={({ currentTarget }) => setFrom(currentTarget.value)} />
        </div>
        <div class="field">
          <label for="to-day">To</label>
          <input id="to-day" type="date" value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
        </div>
      </form>
    </Dialog>
  );
}

function nameOf(time: SearchTime): string {
  if ('last' in time) return PRESETS.find(({ last }) => last === time.last)?.name ?? `Last ${time.last} days`;
  const { from, to } = time;
  if (from === to) return shortDay(from);
  if (from === '') return `Until ${shortDay(to)}`;
  return to === '' ? `Since ${shortDay(from)}` : `${shortDay(from)} – ${shortDay(to)}`;
}

function shortDay(day: string): string {
  return shortDate(`${day}T12:00:00`);
}
