import { useEffect, useState } from 'preact/hooks';

/** Renders nothing at first, and a loading message after a moment. */
export function Loading({ what = 'Loading' }: { what?: string }) {
  const isSlow = useIsSlow();
  return (
    <p class="loading" role="status">
      {isSlow ? `${what}…` : ''}
    </p>
  );
}

/** Shorter waits need no loading message. */
const PATIENCE_MS = 150;

/** Returns whether the component has waited long enough for a loading message. */
export function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}
