import { useEffect, useState } from 'preact/hooks';

/** What comes sooner needs no sign that it is coming. */
const PATIENCE_MS = 150;

/** Nothing, and after a moment words that say that something is on its way. */
export function Loading({ what = 'Loading' }: { what?: string }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="loading" role="status">
      {isLong ? `${what}…` : ''}
    </p>
  );
}
