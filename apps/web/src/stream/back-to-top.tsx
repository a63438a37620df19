import ArrowUp from 'icon:arrow-up';

/** For who has scrolled down: what has arrived above, and the way there. */
export function BackToTop({ arrived, onPress }: { arrived: number; onPress: () => void }) {
  return (
    <div class="to-top" role="status">
      {arrived > 0 && (
        <button class="pill is-new" type="button" onClick={onPress}>
          <ArrowUp size="xs" />
          {arrived} new above
        </button>
      )}
    </div>
  );
}
