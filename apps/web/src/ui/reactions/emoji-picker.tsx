import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { usePopover } from '../use-popover.ts';
import {
  type Emoji,
  type EmojiGroup,
  findEmoji,
  hasRecentEmoji,
  inTone,
  loadEmoji,
  recentEmoji,
  setTone,
  TONES,
  tone,
} from './emoji.ts';

const COLUMNS = 8;
/** Each as wide as a finger on a phone of 360 pixels. */
const TOUCH_COLUMNS = 7;

interface EmojiPickerProps {
  opener: HTMLElement;
  /** Where the focus goes when it is closed. */
  returnTo: HTMLElement;
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** All emoji in groups, or those that match the search. Arrows move in the grid, Enter picks, Escape closes. */
export function EmojiPicker({ opener, returnTo, onPick, onClose }: EmojiPickerProps) {
  const picker = usePopover<HTMLDivElement>({ opener, returnTo, onClose });
  const [groups, setGroups] = useState<readonly EmojiGroup[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [query, setQuery] = useState('');
  /** Whether Enter was pressed before the emoji had loaded. */
  const isAwaited = useRef(false);
  const recent = useMemo(
    () => recentEmoji().map((text): Emoji => ({ text, name: text, shortcodes: [], keywords: '', hasTones: false })),
    [],
  );
  const load = () => {
    setFailed(false);
    loadEmoji().then(setGroups, () => setFailed(true));
  };

  useEffect(load, []);

  const columns = hasScreenKeyboard() ? TOUCH_COLUMNS : COLUMNS;
  const matches = groups && query.trim() !== '' ? findEmoji(groups, query) : null;
  const sections = matches
    ? [{ name: 'Results', emoji: matches }]
    : [
        { name: hasRecentEmoji() ? 'Frequently used' : 'Suggested', emoji: named(recent.slice(0, columns), groups) },
        ...(groups ?? []),
      ];
  const pick = (emoji: Emoji) => {
    onClose();
    onPick(inTone(emoji, tone.value));
  };
  useEffect(() => {
    const [first] = matches ?? [];
    if (isAwaited.current && first) pick(first);
    isAwaited.current = false;
  }, [groups]);
  return (
    <div
      class="picker is-emoji"
      popover="auto"
      role="dialog"
      aria-label="Choose an emoji"
      ref={picker}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
        else if (!moveFocus(event, picker.current)) return;
        event.preventDefault();
      }}
    >
      <div class="picker-top">
        <input
          class="grow"
          type="search"
          aria-label="Search emoji"
          placeholder="Search emoji"
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return;
            // Enter must not submit the form around a composer.
            event.preventDefault();
            // The last letters may not be rendered yet.
            const text = event.currentTarget.value;
            const [first] = groups === null || text.trim() === '' ? [] : findEmoji(groups, text);
            if (first) pick(first);
            else isAwaited.current = groups === null;
          }}
        />
        <ToneChoice />
      </div>
      <div class="picker-scroll" role="grid" aria-label="Emoji" aria-busy={groups === null && !hasFailed}>
        {sections.map(({ name, emoji }, n) => (
          <EmojiSection key={name} name={name} emoji={emoji} columns={columns} delay={n} onPick={pick} />
        ))}
      </div>
      <p class="sr" role="status">
        {matches?.[0] && `${matches[0].name}, first of ${matches.length}`}
      </p>
      {matches?.length === 0 && (
        <p class="picker-note" role="status">
          No emoji found for “{query.trim()}”.
        </p>
      )}
      {hasFailed && (
        <p class="picker-note" role="alert">
          Couldn’t load the other emoji.{' '}
          <button class="link" type="button" onClick={load}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

/** Adds names to recent emoji, which are stored without them, once the groups are loaded. */
function named(recent: readonly Emoji[], groups: readonly EmojiGroup[] | null): readonly Emoji[] {
  const all = new Map(groups?.flatMap(({ emoji }) => emoji).map((emoji) => [emoji.text, emoji.name]));
  return recent.map((emoji) => ({ ...emoji, name: all.get(emoji.text) ?? emoji.name }));
}

/** Handles a key in the grid or the search field. Returns whether it did. */
function moveFocus({ key, target }: KeyboardEvent, picker: HTMLElement | null): boolean {
  if (!picker || !(target instanceof HTMLElement)) return false;
  const cells = [...picker.querySelectorAll<HTMLButtonElement>('[role="gridcell"]')];
  const here = cells.indexOf(target as HTMLButtonElement);
  if (here < 0) {
    if (key !== 'ArrowDown' || target.tagName !== 'INPUT') return false;
    cells[0]?.focus();
    return cells.length > 0;
  }
  if (key.length === 1 && key !== ' ') {
    picker.querySelector('input')?.focus();
    return false;
  }
  const there = neighbor(cells, here, key);
  if (there === null) return false;
  (there ?? picker.querySelector('input'))?.focus();
  return true;
}

/** Returns the cell an arrow key moves to; `undefined` above the first row, `null` for other keys. */
function neighbor(cells: HTMLButtonElement[], here: number, key: string): HTMLButtonElement | null | undefined {
  if (key === 'ArrowRight') return cells[Math.min(here + 1, cells.length - 1)];
  if (key === 'ArrowLeft') return cells[Math.max(here - 1, 0)];
  if (key === 'Home' || key === 'End') {
    const row = cells[here]?.closest('[role="row"]')?.querySelectorAll('button');
    return row?.[key === 'Home' ? 0 : row.length - 1];
  }
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return null;
  const rows = [...new Set(cells.map((cell) => cell.closest('[role="row"]')))];
  const row = cells[here]?.closest('[role="row"]') ?? null;
  const column = [...(row?.querySelectorAll('button') ?? [])].indexOf(cells[here] as HTMLButtonElement);
  const next = rows[rows.indexOf(row) + (key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return key === 'ArrowUp' ? undefined : cells[here];
  const buttons = next?.querySelectorAll('button');
  return buttons?.[Math.min(column, buttons.length - 1)];
}

const TONE_NAMES = ['No skin tone', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'];

/** A button with the skin tone for emoji that support one. Each click selects the next tone. */
function ToneChoice() {
  const index = TONES.indexOf(tone.value);
  return (
    <button
      class="icon-btn"
      type="button"
      aria-label={`Skin tone: ${TONE_NAMES[index]}. Press to change`}
      title={`Skin tone: ${TONE_NAMES[index]}`}
      onClick={() => setTone(TONES[(index + 1) % TONES.length] ?? '')}
    >
      <span aria-hidden="true">{`✋${tone.value}`}</span>
    </button>
  );
}

interface EmojiSectionProps {
  name: string;
  emoji: readonly Emoji[];
  columns: number;
  /** How many frames later the section is drawn: drawing all sections in one frame would cause a noticeable pause. */
  delay: number;
  onPick: (emoji: Emoji) => void;
}

function EmojiSection({ name, emoji, columns, delay, onPick }: EmojiSectionProps) {
  const [isDrawn, setDrawn] = useState(delay < 2);
  useEffect(() => {
    if (isDrawn) return;
    const timer = setTimeout(() => setDrawn(true), delay * 16);
    return () => clearTimeout(timer);
  }, []);
  if (!isDrawn || emoji.length === 0) return null;
  const rows = Array.from({ length: Math.ceil(emoji.length / columns) }, (_, n) =>
    emoji.slice(n * columns, (n + 1) * columns),
  );
  return (
    <div class="picker-group" role="rowgroup" aria-label={name}>
      <p class="picker-head" aria-hidden="true">
        {name}
      </p>
      {rows.map((row) => (
        <div key={row[0]?.text} class="picker-row" role="row" tabIndex={-1}>
          {row.map((each) => (
            <button
              key={each.text}
              type="button"
              role="gridcell"
              tabIndex={delay === 0 && each === emoji[0] ? 0 : -1}
              data-tip={each.name}
              aria-label={each.name}
              onClick={() => onPick(each)}
            >
              {inTone(each, tone.value)}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
