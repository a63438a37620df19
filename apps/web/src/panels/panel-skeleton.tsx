import { useIsLong } from '../frame/use-is-long.ts';

/** The shapes of a title and some words, where a panel is still empty. */
export function PanelSkeleton({ what }: { what: string }) {
  if (!useIsLong()) return null;
  return (
    <div class="detail" role="status">
      <span class="sr">Loading {what}</span>
      <div aria-hidden="true">
        <div class="skeleton-line w1" />
        <div class="skeleton-line w2" />
        <div class="skeleton-line w3" />
      </div>
    </div>
  );
}
