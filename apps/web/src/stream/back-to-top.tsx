import ArrowUp from 'icon:arrow-up';

/** A button for a reader who has scrolled down: counts the items above and jumps to the top. */
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
