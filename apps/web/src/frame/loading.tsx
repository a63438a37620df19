import { useIsSlow } from './use-is-slow.ts';

/** Renders nothing at first, and a loading message after a moment. */
export function Loading({ what = 'Loading' }: { what?: string }) {
  const isSlow = useIsSlow();
  return (
    <p class="loading" role="status">
      {isSlow ? `${what}…` : ''}
    </p>
  );
}
