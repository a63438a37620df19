import { PageBar } from '../frame/page-bar.tsx';
import { LookSection } from './look-section.tsx';
import { NameSection } from './name-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** What one may choose for oneself. */
export function SettingsPage() {
  return (
    <main class="main" id="main">
      <PageBar title="Settings" />
      <div class="settings" tabIndex={0} role="region" aria-label="Settings">
        <div class="settings-in is-own">
          <NameSection />
          <LookSection />
          <PasswordSection />
          <SessionsSection />
        </div>
      </div>
    </main>
  );
}
