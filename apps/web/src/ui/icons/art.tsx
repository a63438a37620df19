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

const CENTRE = 600;
const RADII = [260, 340, 420, 500, 580];
/** The objects that orbit a Hub: users, programs and one new post. */
const USERS = [
  [364.4, 490.1],
  [900.2, 440.4],
  [267.4, 670.7],
  [994.7, 743.6],
  [269, 341.4],
  [1083, 470.6],
  [136.4, 787.3],
  [1167.3, 720.6],
  [42.5, 440.1],
  [442.7, 989.4],
  [582.6, 100.3],
];
const PROGRAMS = [
  [844.6, 526.2],
  [893.7, 753.1],
  [175.8, 549.6],
  [924.5, 334.9],
  [129.9, 406.2],
  [1035, 828.2],
  [1114.8, 339.2],
  [22.3, 694.2],
  [455.2, 282.9],
  [737.1, 988.2],
];

/** The background of the sign-in page. */
export function Orbits() {
  return (
    <svg class="orbit" viewBox="0 0 1200 1200" aria-hidden="true">
      {RADII.map((radius) => (
        <circle key={radius} class="o" cx={CENTRE} cy={CENTRE} r={radius} />
      ))}
      {USERS.map(([x, y]) => (
        <circle key={x} class="user" cx={x} cy={y} r="7" />
      ))}
      {PROGRAMS.map(([x, y]) => (
        <rect key={x} class="program" x={x} y={y} width="13" height="13" rx="3.5" />
      ))}
      <rect class="hot" x="1008.4" y="534" width="15" height="15" rx="3.5" />
    </svg>
  );
}
