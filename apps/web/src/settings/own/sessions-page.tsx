import { PageHead } from '../page-head.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The sessions of the user. */
export function SessionsPage() {
  return (
    <div class="settings-in is-own">
      <PageHead
        title="Sessions"
        about="Browsers where you’re signed in. Access tokens are separate and keep working when you sign out."
      />
      <SessionsSection />
    </div>
  );
}
