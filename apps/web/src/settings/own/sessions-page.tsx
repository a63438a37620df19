import { PageHead } from '../page-head.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** Where one is signed in. */
export function SessionsPage() {
  return (
    <div class="settings-in is-own">
      <PageHead
        title="Sessions"
        about="Every browser in which you are signed in. Access tokens are apart from these, and stay when you sign out."
      />
      <SessionsSection />
    </div>
  );
}
