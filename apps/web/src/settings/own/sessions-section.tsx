import type { Session } from '@hub/contract';
import { useState } from 'preact/hooks';
import { ApiError, allPages, errorMessage, request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { checkSignedIn } from '../../session/session.ts';
import { toast } from '../../ui/toast.tsx';
import { SessionRow } from './session-row.tsx';

/** Lists sessions. The user can end each one, or all others together. */
export function SessionsSection() {
  const { state, reload } = useResource((signal) => allPages('GET /me/sessions', { signal }), { topics: [] });
  const [isBusy, setBusy] = useState(false);
  const end = async (sessions: readonly Session[]) => {
    if (isBusy) return;
    setBusy(true);
    const ends = await Promise.allSettled(sessions.map(endOne));
    await reload();
    setBusy(false);
    const failed = ends.filter((each) => each.status === 'rejected');
    if (failed.length === 0) return toast(sessions.length === 1 ? 'Signed out.' : 'Signed out everywhere else.');
    toast(
      `Couldn’t sign out of ${failed.length} ${failed.length === 1 ? 'session' : 'sessions'}. ${errorMessage(failed[0]?.reason)}`,
      { isBad: true },
    );
    void checkSignedIn();
  };
  if (state.status === 'loading') return <Loading />;
  if (state.status === 'failed') return <ErrorNotice text={state.text} onRetry={reload} />;
  const others = state.value.filter(({ isCurrent }) => !isCurrent);
  return (
    <section class="settings-section" aria-labelledby="own-sessions">
      <h2 id="own-sessions">{others.length === 0 ? 'You’re only signed in here' : 'Where you’re signed in'}</h2>
      <ul class="sessions">
        {currentFirst(state.value).map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => void end([session])} />
        ))}
      </ul>
      {others.length > 1 && (
        <button class="btn" type="button" aria-disabled={isBusy} onClick={() => void end(others)}>
          Sign out of {others.length} other sessions
        </button>
      )}
      <p class="help">
        Don’t recognize one? Sign out of it, then <a href="/settings/profile">change your password</a>. Sessions end 30
        days after their last use.
      </p>
    </section>
  );
}

function currentFirst(sessions: readonly Session[]): Session[] {
  return sessions.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

/** Ends a session. A 404 counts as success: the session has already ended. */
async function endOne({ id }: Session): Promise<void> {
  try {
    await request('DELETE /me/sessions/{sessionId}', { sessionId: id });
  } catch (error) {
    if (!(error instanceof ApiError && error.statusCode === 404)) throw error;
  }
}
