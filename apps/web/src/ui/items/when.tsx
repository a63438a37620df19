import { fullTime, shortTime } from '../../lib/time/format.ts';
import { now } from '../../lib/time/now.ts';

/** A short time, with the full time as its tooltip. */
export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {shortTime(at, now.value)}
    </time>
  );
}
