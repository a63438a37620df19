import { areShortcutsOn, setShortcutsOn } from '../../keyboard/shortcuts.ts';
import { chooseTheme, THEMES, type Theme, theme } from '../../theme/theme.ts';

const WORDS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

/** How these pages look and listen, in this browser. */
export function LookSection() {
  return (
    <section class="settings-section" aria-labelledby="own-look">
      <h2 id="own-look">In this browser</h2>
      <div class="field">
        <span class="label" id="theme">
          Theme
        </span>
        <div class="segment" role="group" aria-labelledby="theme">
          {THEMES.map((each) => (
            <button key={each} type="button" aria-pressed={theme.value === each} onClick={() => chooseTheme(each)}>
              {WORDS[each]}
            </button>
          ))}
        </div>
      </div>
      <label class="switch">
        <input
          type="checkbox"
          checked={areShortcutsOn.value}
          onChange={({ currentTarget }) => setShortcutsOn(currentTarget.checked)}
        />
        <span>
          <b>Keyboard shortcuts</b>
          <span class="help">
            Single keys such as <kbd>j</kbd> and <kbd>k</kbd>. Switch them off if you speak to your computer.{' '}
            <kbd>?</kbd> shows them all.
          </span>
        </span>
      </label>
    </section>
  );
}
