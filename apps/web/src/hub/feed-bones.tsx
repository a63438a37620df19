import { useEffect, useState } from 'preact/hooks';

/** What comes sooner needs no sign that it is coming. */
const PATIENCE_MS = 150;

/** The shapes of what will stand there. */
export function FeedBones({ what = 'the conversation' }: { what?: string }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <div class="feed-cover" role="status">
      <span class="sr">Loading {what}</span>
      {[0, 1, 2].map((n) => (
        <div key={n} class="msg" aria-hidden="true">
          <div class="bone is-face" />
          <div class="msg-body">
            <div class="bone w1" />
            <div class="bone w2" />
            {n !== 1 && <div class="bone w3" />}
          </div>
        </div>
      ))}
    </div>
  );
}
