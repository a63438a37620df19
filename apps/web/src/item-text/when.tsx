import { fullTime, shortTime } from '../time/format.ts';
import { now } from '../time/now.ts';

/** A short time, with the full time as its tooltip. */
export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {shortTime(at, now.value)}
    </time>
  );
}
