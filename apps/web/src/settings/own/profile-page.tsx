import { PageHead } from '../page-head.tsx';
import { FactsSection } from './facts-section.tsx';
import { NameSection } from './name-section.tsx';
import { PasswordSection } from './password-section.tsx';

/** Profile, account facts and password. */
export function ProfilePage() {
  return (
    <div class="settings-in is-own">
      <PageHead title="Profile and password" />
      <NameSection />
      <FactsSection />
      <PasswordSection />
    </div>
  );
}
