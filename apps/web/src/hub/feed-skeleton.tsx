import { useIsSlow } from '../frame/use-is-slow.ts';

/** The skeleton of a feed. */
export function FeedSkeleton({ what = 'the conversation' }: { what?: string }) {
  if (!useIsSlow()) return null;
  return (
    <div class="feed-cover" role="status">
      <span class="sr">Loading {what}</span>
      {[0, 1, 2].map((n) => (
        <div key={n} class="msg" aria-hidden="true">
          <div class="skeleton-line is-avatar" />
          <div class="msg-body">
            <div class="skeleton-line w1" />
            <div class="skeleton-line w2" />
            {n !== 1 && <div class="skeleton-line w3" />}
          </div>
        </div>
      ))}
    </div>
  );
}
