/** What is said when the connection is back. */
export function backText(posts: number): string {
  if (posts === 0) return 'Back again. Nothing was missed.';
  return `Back again. ${posts} ${posts === 1 ? 'post' : 'posts'} caught up.`;
}
