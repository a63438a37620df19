const MOST_SHOWN = 99;

export function UnreadCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span class="count">
      {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
      <span class="sr"> unread</span>
    </span>
  );
}
