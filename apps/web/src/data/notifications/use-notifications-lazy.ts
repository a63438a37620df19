import { useEffect } from 'preact/hooks';
import { navigate } from '../../lib/router/location.ts';
import { useWorkspace } from '../live/workspace.ts';

/**
 * Shows notifications while the workspace is open, with code that loads when the browser is idle, and opens those that
 * are clicked.
 */
export function useLazyNotifications(): void {
  const workspace = useWorkspace();
  useEffect(() => {
    navigator.serviceWorker?.addEventListener('message', openClicked);
    return () => navigator.serviceWorker?.removeEventListener('message', openClicked);
  }, []);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    const start = async () => {
      const { watchNotifications } = await import('./watch-notifications.ts');
      if (!isOver) stop = watchNotifications(workspace);
    };
    const asked = requestIdleCallback(() => void start().catch(() => {}), { timeout: 3_000 });
    return () => {
      isOver = true;
      cancelIdleCallback(asked);
      stop?.();
    };
  }, [workspace]);
}

/** The service worker reports which notification was clicked. */
function openClicked({ data }: MessageEvent<unknown>): void {
  const { type, to } = (data ?? {}) as { type?: unknown; to?: unknown };
  if (type === 'open' && typeof to === 'string') navigate(to);
}
