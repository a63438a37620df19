import { areShortcutsOn, setShortcutsOn } from '../../keyboard/shortcuts.ts';
import { chooseTheme, THEMES, type Theme, theme } from '../../theme/theme.ts';

const LABELS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Theme and keyboard shortcuts, stored in this browser. */
export function ThemeSection() {
  return (
    <section class="settings-section" aria-labelledby="own-theme">
      <h2 id="own-theme">In this browser</h2>
      <div class="field">
        <span class="label" id="theme">
          Theme
        </span>
        <div class="segment" role="group" aria-labelledby="theme">
          {THEMES.map((each) => (
            <button key={each} type="button" aria-pressed={theme.value === each} onClick={() => chooseTheme(each)}>
              {LABELS[each]}
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
            Single keys such as <kbd>j</kbd> and <kbd>k</kbd>; <kbd>?</kbd> shows all. Turn them off if you use voice
            control.
          </span>
        </span>
      </label>
    </section>
  );
}
