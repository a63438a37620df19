/** Returns the message for a restored connection. */
export function backText(posts: number): string {
  if (posts === 0) return "Reconnected. You didn't miss anything.";
  return `Reconnected. Caught up on ${posts} ${posts === 1 ? 'post' : 'posts'}.`;
}
