import { lazy } from '../../ui/page/lazy.tsx';
import type { RowScope } from './row-scope.ts';

const RowOverlay = lazy(async () => (await import('./row-overlay.tsx')).RowOverlay, { takesText: true });

/** The picker, menu or dialog that is open over the rows of a conversation, a thread or the Stream. */
export function RowOverlays({ scope }: { scope: RowScope }) {
  const open = scope.overlay.value;
  if (!open) return null;
  // Another one may open before the browser has reported that the previous one is closed.
  return <RowOverlay key={'opener' in open ? open.opener : open.message.id} scope={scope} open={open} />;
}
