import { fullTime, shortTime } from '../time/format.ts';
import { now } from '../time/now.ts';

/** A time, as short as it can be understood, and all of it for whoever points at it. */
export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {shortTime(at, now.value)}
    </time>
  );
}
