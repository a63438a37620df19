/** A Hub with nothing in orbit yet. */
export function EmptyArt() {
  return (
    <svg
      class="art"
      width="72"
      height="72"
      viewBox="0 0 72 72"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      aria-hidden="true"
    >
      <circle cx="36" cy="36" r="9" />
      <circle cx="36" cy="36" r="21" stroke-dasharray="3 5" />
      <circle cx="36" cy="36" r="33" stroke-dasharray="3 5" />
      <rect x="51" y="12" width="11" height="11" rx="3" class="fill" />
      <circle cx="14" cy="46" r="5.5" class="fill" />
    </svg>
  );
}
