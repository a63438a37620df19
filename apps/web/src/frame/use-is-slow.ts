import { useEffect, useState } from 'preact/hooks';

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
