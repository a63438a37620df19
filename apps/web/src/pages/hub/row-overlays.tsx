import { lazy } from '../../ui/page/lazy.tsx';
import type { RowScope } from './row-scope.ts';

const RowOverlay = lazy(async () => (await import('./row-overlay.tsx')).RowOverlay, { takesText: true });

/** The picker, menu or dialog that is open over the rows of a conversation, a thread or the Stream. */
export function RowOverlays({ scope }: { scope: RowScope }) {
  const open = scope.overlay.value;
  return open && <RowOverlay scope={scope} open={open} />;
}
