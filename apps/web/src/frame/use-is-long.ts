import { useEffect, useState } from 'preact/hooks';

/** What comes sooner needs no sign that it is coming. */
const PATIENCE_MS = 150;

/** Whether one waits for long enough to be told. */
export function useIsLong(): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLong;
}
