import { dayHeading, fullTime, now, shortTime } from '../../lib/time/format.ts';

export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {shortTime(at, now.value)}
    </time>
  );
}

/** "edited by Bob Kahn 2 March". */
export function EditedWhen({ at, by }: { at: string; by: { name: string } | null }) {
  return (
    <>
      {'edited '}
      {by && (
        <>
          by <bdi>{by.name}</bdi>{' '}
        </>
      )}
      <When at={at} />
    </>
  );
}

export function DayHeading({ at, Level = 'h2' }: { at: string; Level?: 'h2' | 'h3' }) {
  const { word, day } = dayHeading(at, now.value);
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
