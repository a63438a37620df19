import { useIsLong } from './use-is-long.ts';

/** Nothing, and after a moment words that say that something is on its way. */
export function Loading({ what = 'Loading' }: { what?: string }) {
  const isLong = useIsLong();
  return (
    <p class="loading" role="status">
      {isLong ? `${what}…` : ''}
    </p>
  );
}
