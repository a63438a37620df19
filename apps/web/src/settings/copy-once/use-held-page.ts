import { useEffect, useRef } from 'preact/hooks';

interface HeldPage {
  /** Whether something would be lost now. */
  isHeld: boolean;
  /** The way back was taken; if nothing is held, it has led back already. */
  onBack: () => void;
}

/**
 * Keeps what is on the page from being lost: a reload and a closed tab ask first, and the way back of the browser leads to
 * `onBack`. For that an entry of the history stands on top of the present one, with the same address.
 */
export function useHeldPage({ isHeld, onBack }: HeldPage): void {
  const latest = useRef({ isHeld, onBack });
  latest.current = { isHeld, onBack };

  useEffect(() => {
    if (!isHeld) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isHeld]);

  useEffect(() => {
    const cover = () => history.pushState({ ...(history.state as object | null), isCover: true }, '');
    cover();
    const uncovered = () => {
      if (latest.current.isHeld) cover();
      latest.current.onBack();
    };
    addEventListener('popstate', uncovered);
    return () => {
      removeEventListener('popstate', uncovered);
      if ((history.state as { isCover?: boolean } | null)?.isCover) history.back();
    };
  }, []);
}
