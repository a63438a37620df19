const MAX_SHOWN = 99;

export function countText(count: number): string {
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count);
}

export function UnreadCount({ count, noun = 'unread' }: { count: number; noun?: string }) {
  if (count === 0) return null;
  return (
    <span class="count">
      {countText(count)}
      <span class="sr"> {noun}</span>
    </span>
  );
}
