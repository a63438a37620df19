import type { LostHub } from '../hubs/lost-hub.ts';
import { navigate } from '../router/location.ts';
import { PageBar } from './page-bar.tsx';

const WORDS: Record<LostHub['why'], string> = {
  deleted: 'This Hub was deleted. An admin can restore it.',
  left: 'You do not belong to this Hub any more. Its members and admins can add you again.',
  gone: 'This Hub was deleted, or you do not belong to it any more. An admin knows.',
};

/** A Hub that was open and is not to be read any more. */
export function LostHubPage({ name, why }: LostHub) {
  return (
    <main class="main" id="main">
      <PageBar title={name} />
      <div class="empty" role="status">
        <h2>{name} is closed to you</h2>
        <p>{WORDS[why]}</p>
        <div class="actions">
          <button class="btn" type="button" onClick={() => navigate('/stream')}>
            Go to the Stream
          </button>
        </div>
      </div>
    </main>
  );
}
