import { useIsSlow } from '../page/loading.tsx';

/** The skeleton of a panel: a title and some text. */
export function PanelSkeleton({ what }: { what: string }) {
  if (!useIsSlow()) return null;
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
