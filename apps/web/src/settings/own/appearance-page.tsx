import { PageHead } from '../page-head.tsx';
import { ThemeSection } from './theme-section.tsx';

/** Theme and keyboard shortcuts in this browser. */
export function AppearancePage() {
  return (
    <div class="settings-in is-own">
      <PageHead title="Appearance" />
      <ThemeSection />
    </div>
  );
}
