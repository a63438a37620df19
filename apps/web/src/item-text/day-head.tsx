import { dayHead } from '../time/format.ts';
import { now } from '../time/now.ts';

/** Where a day begins in a feed. */
export function DayHead({ at, Level = 'h2' }: { at: string; Level?: 'h2' | 'h3' }) {
  const { word, day } = dayHead(at, now.value);
  return (
    <Level class="day">
      <span>
        {word !== null && (
          <>
            <b>{word}</b> ·{' '}
          </>
        )}
        {day}
      </span>
    </Level>
  );
}
