import { Dialog } from '../ui/dialog.tsx';
import { ALL_KEYS } from './all-keys.ts';
import { areShortcutsOn, setShortcutsOn } from './shortcuts.ts';

/** What the keys do, and the switch for all of them. */
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
            {areShortcutsOn.value ? 'Switch them off' : 'Switch them on'}
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
