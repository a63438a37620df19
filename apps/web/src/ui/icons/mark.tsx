/** The product logo: a Hub and the objects that orbit it. */
export function Mark() {
  return (
    <svg
      class="mark"
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
    >
      <circle class="mark-core" cx="12" cy="12" r="3.5" stroke="none" />
      <path d="M12 2.5v3.2M20.2 16.75l-2.75-1.6M3.8 16.75l2.75-1.6" />
      <path d="M18.9 7.1a8.5 8.5 0 0 1 1.5 3.7M14.9 20a8.5 8.5 0 0 1-5.8 0M3.6 10.8a8.5 8.5 0 0 1 1.5-3.7" />
    </svg>
  );
}
