import { PageHead } from '../page-head.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** Where one is signed in. */
export function SessionsPage() {
  return (
    <div class="settings-in is-own">
      <PageHead title="Sessions" />
      <SessionsSection />
    </div>
  );
}
