import type { LostHub } from '../hubs/lost-hub.ts';
import { navigate } from '../router/location.ts';
import { PageBar } from './page-bar.tsx';

const WORDS: Record<LostHub['why'], string> = {
  deleted: 'This Hub was deleted. An admin can restore it.',
  left: "You're no longer a member of this Hub. Its members or an admin can add you again.",
  gone: 'This Hub was deleted, or you were removed from it. Ask an admin.',
};

/** Replaces the page of an open Hub that the user can no longer read. */
export function LostHubPage({ name, why }: LostHub) {
  return (
    <main class="main" id="main">
      <PageBar title={name} />
      <div class="empty" role="status">
        <h2>You no longer have access to {name}</h2>
        <p>{WORDS[why]}</p>
        <div class="actions">
          <button class="btn" type="button" onClick={() => navigate('/stream')}>
            Go to Stream
          </button>
        </div>
      </div>
    </main>
  );
}
