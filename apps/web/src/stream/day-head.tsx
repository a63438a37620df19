import { dayHead } from '../time/format.ts';
import { now } from '../time/now.ts';

/** With what a day begins in a feed. */
export function DayHead({ iso }: { iso: string }) {
  const { word, day } = dayHead(iso, now.value);
  return (
    <h2 class="day">
      <span>
        {word !== null && (
          <>
            <b>{word}</b> ·{' '}
          </>
        )}
        {day}
      </span>
    </h2>
  );
}
