import { areShortcutsOn, COMMAND_KEY, setShortcutsOn } from '../lib/keyboard/shortcuts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export function KeysSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      actions={
        <>
          <Button
            label={areShortcutsOn.value ? 'Turn off' : 'Turn on'}
            onClick={() => setShortcutsOn(!areShortcutsOn.value)}
          />
          <Button label="Close" autofocus onClick={onClose} />
        </>
      }
    >
      <dl class="shortcuts">
        {ALL_KEYS.map(({ does, keys }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

interface KeyLine {
  does: string;
  /** Alternative keys, or the two keys of a pair in the order in which they are pressed. */
  keys: readonly string[];
}

/** Every keyboard shortcut, for the dialog that lists them. */
const ALL_KEYS: readonly KeyLine[] = [
  { does: 'Command palette', keys: [COMMAND_KEY === 'Meta' ? '⌘' : 'Ctrl', 'K'] },
  { does: 'Next or previous item', keys: ['j', 'k'] },
  { does: 'Open', keys: ['Enter'] },
  { does: 'Reply', keys: ['r'] },
  { does: 'React', keys: ['e'] },
  { does: 'Convert to to-do', keys: ['t'] },
  { does: 'Convert to note', keys: ['n'] },
  { does: 'Check off a to-do', keys: ['x'] },
  { does: 'Select a to-do', keys: ['Shift', 'X'] },
  { does: 'Mark unread from here', keys: ['u'] },
  { does: 'Copy link', keys: ['y'] },
  { does: 'Write a message', keys: ['c'] },
  { does: 'Edit your last message', keys: ['↑'] },
  { does: 'Leave the message field', keys: ['Esc'] },
  { does: 'Undo, or the action in the toast', keys: ['z'] },
  { does: 'Stream', keys: ['g', 's'] },
  { does: 'Go to a Hub', keys: ['g', 'h'] },
  { does: 'To-dos', keys: ['g', 't'] },
  { does: 'Notes', keys: ['g', 'n'] },
  { does: 'Jump to newest', keys: ['Shift', 'G'] },
  { does: 'Search', keys: ['/'] },
  { does: 'Close or go back', keys: ['Esc'] },
  { does: 'Show shortcuts', keys: ['?'] },
];
