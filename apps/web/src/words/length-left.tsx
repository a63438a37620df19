/** Told only when it comes near. */
const NEAR = 0.9;

const numbers = new Intl.NumberFormat();

/** How many characters are left, once they become few. The server counts code points. */
export function LengthLeft({ text, most }: { text: string; most: number }) {
  // There are never more code points than units, and those need not be counted one by one.
  if (text.length < most * NEAR) return null;
  const left = most - [...text].length;
  if (left > most * (1 - NEAR)) return null;
  return (
    <span class={left < 0 ? 'count-left is-over' : 'count-left'} role="status">
      {left < 0 ? `${counted(-left)} too many` : `${counted(left)} left`}
    </span>
  );
}

function counted(count: number): string {
  return `${numbers.format(count)} ${count === 1 ? 'character' : 'characters'}`;
}
