const MOST_SHOWN = 99;

export function countWords(count: number): string {
  return count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
}

export function UnreadCount({ count, noun = 'unread' }: { count: number; noun?: string }) {
  if (count === 0) return null;
  return (
    <span class="count">
      {countWords(count)}
      <span class="sr"> {noun}</span>
    </span>
  );
}
