import { ALL_KEYS } from '../lib/keyboard/all-keys.ts';
import { areShortcutsOn, setShortcutsOn } from '../lib/keyboard/shortcuts.ts';
import { Dialog } from './dialog.tsx';

/** The dialog that lists the shortcuts and can turn them off. */
export function KeysSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      actions={
        <>
          <button
            class="btn"
            type="button"
            aria-pressed={areShortcutsOn.value}
            onClick={() => setShortcutsOn(!areShortcutsOn.value)}
          >
            {areShortcutsOn.value ? 'Turn off' : 'Turn on'}
          </button>
          <button class="btn is-main" type="button" autofocus onClick={onClose}>
            Close
          </button>
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
