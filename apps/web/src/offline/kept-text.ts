/** What the browser keeps of what was written, by the names under which it is kept. */
export function keptText(names: readonly string[]): string {
  const count = (start: string) => names.filter((name) => name.startsWith(start)).length;
  const [unsent, drafts] = [count('hub.outbox.'), count('hub.draft.')];
  const parts = [counted(unsent, 'message that was not sent', 'messages that were not sent'), counted(drafts, 'draft')];
  const kept = parts.filter((part) => part !== null).join(' and ');
  if (kept === '') return 'Nothing you have written is waiting to be sent.';
  return `Saved in this browser until you're back: ${kept}.`;
}

function counted(count: number, one: string, many = `${one}s`): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}
