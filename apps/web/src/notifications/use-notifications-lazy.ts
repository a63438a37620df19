import { useEffect } from 'preact/hooks';
import { useWorkspace } from '../workspace/workspace.ts';

/** Shows notifications while the workspace is open. Its code loads when the browser is idle. */
export function useLazyNotifications(): void {
  const workspace = useWorkspace();
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
