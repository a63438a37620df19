import { useEffect, useRef } from 'preact/hooks';

interface HeldPage {
  /** Whether leaving now would lose something. */
  isHeld: boolean;
  /** Called when the user goes back. If there is nothing to lose, the browser has already gone back. */
  onBack: () => void;
}

/**
 * Keeps the content of the page from being lost: reloading and closing the tab ask for confirmation, and going back
 * calls `onBack`. To detect that, a history entry with the same URL is pushed on top of the current one.
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
    const onPopState = () => {
      if (latest.current.isHeld) cover();
      latest.current.onBack();
    };
    addEventListener('popstate', onPopState);
    return () => {
      removeEventListener('popstate', onPopState);
      if ((history.state as { isCover?: boolean } | null)?.isCover) history.back();
    };
  }, []);
}
