/** Returns a summary of unsent messages and drafts, counted by their storage keys. */
export function unsavedSummary(names: readonly string[]): string {
  const count = (start: string) => names.filter((name) => name.startsWith(start)).length;
  const [unsent, drafts] = [count('hub.outbox.'), count('hub.draft.')];
  const parts = [counted(unsent, 'unsent message', 'unsent messages'), counted(drafts, 'draft')];
  const kept = parts.filter((part) => part !== null).join(' and ');
  if (kept === '') return 'You have no unsent messages or drafts.';
  return `Saved in this browser until you’re back: ${kept}.`;
}

function counted(count: number, one: string, many = `${one}s`): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}
