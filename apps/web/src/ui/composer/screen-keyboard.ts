/** Whether the user types on a touch keyboard, which has no Shift+Enter and covers part of the page. */
export function hasScreenKeyboard(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}
