import { areShortcutsOn, setShortcutsOn } from '../../../lib/keyboard/shortcuts.ts';
import { chooseTheme, THEMES, type Theme, theme } from '../../../lib/theme/theme.ts';
import { hasScreenKeyboard } from '../../../lib/widths.ts';
import { Switch } from '../../../ui/forms/choices.tsx';
import { PageBody, Section } from '../../../ui/forms/page-body.tsx';
import { areRepeatsCollapsed, setRepeatsCollapsed } from '../../../ui/items/repeats.tsx';

const LABELS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Theme, repeats and single-key shortcuts, stored in this browser. */
export function AppearancePage() {
  return (
    <PageBody title="Appearance" variant="is-own">
      <Section id="own-theme" title="In this browser">
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
        <Switch
          label="Collapse repeats"
          help="Shows one row for messages of a key that differ only in numbers and times."
          isOn={areRepeatsCollapsed.value}
          onChange={setRepeatsCollapsed}
        />
        {!hasScreenKeyboard() && (
          <Switch
            label="Single-key shortcuts"
            help={
              <>
                Such as <kbd>j</kbd> and <kbd>k</kbd>; <kbd>?</kbd> shows all. Turn them off if you use voice control.
              </>
            }
            isOn={areShortcutsOn.value}
            onChange={setShortcutsOn}
          />
        )}
      </Section>
    </PageBody>
  );
}
