interface KeyLine {
  does: string;
  /** Alternatives, or the keys of a pair one after the other. */
  keys: readonly string[];
}

/** For the sheet: every key that there is, wherever one is. */
export const ALL_KEYS: readonly KeyLine[] = [
  { does: 'Next, previous', keys: ['j', 'k'] },
  { does: 'Open', keys: ['Enter'] },
  { does: 'Reply', keys: ['r'] },
  { does: 'React', keys: ['e'] },
  { does: 'Make a to-do', keys: ['t'] },
  { does: 'Make a note', keys: ['n'] },
  { does: 'Copy link', keys: ['y'] },
  { does: 'Write', keys: ['c'] },
  { does: 'Edit your last message, from an empty field', keys: ['↑'] },
  { does: 'From the field to the messages', keys: ['Esc'] },
  { does: 'What is offered at the foot, such as Undo', keys: ['z'] },
  { does: 'Stream', keys: ['g', 's'] },
  { does: 'Hub by name', keys: ['g', 'h'] },
  { does: 'To-dos of the Hub, or mine', keys: ['g', 't'] },
  { does: 'Notes of the Hub', keys: ['g', 'n'] },
  { does: 'Newest', keys: ['Shift', 'G'] },
  { does: 'Search', keys: ['/'] },
  { does: 'Close, go back', keys: ['Esc'] },
  { does: 'This sheet', keys: ['?'] },
];
