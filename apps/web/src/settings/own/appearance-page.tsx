import { PageHead } from '../page-head.tsx';
import { LookSection } from './look-section.tsx';

/** How these pages look and listen in this browser. */
export function AppearancePage() {
  return (
    <div class="settings-in is-own">
      <PageHead title="Appearance" />
      <LookSection />
    </div>
  );
}
