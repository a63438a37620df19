/** Whether one types on the screen: there is no Shift and Enter, and the keyboard covers what one wants to read. */
export function hasScreenKeyboard(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}
