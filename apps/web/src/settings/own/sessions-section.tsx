import type { Session } from '@hub/contract';
import { useState } from 'preact/hooks';
import { ApiError, errorMessage, path, request } from '../../api/request.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { lookWhetherSignedIn } from '../../session/session.ts';
import { toast } from '../../ui/toast.tsx';
import { SessionRow } from './session-row.tsx';
import { useOwnList } from './use-own-list.ts';

/** Where one is signed in; each can be ended, and all others at once. */
export function SessionsSection() {
  const { list, load } = useOwnList<Session>('/me/sessions');
  const [isBusy, setBusy] = useState(false);
  const end = async (sessions: readonly Session[]) => {
    if (isBusy) return;
    setBusy(true);
    const ends = await Promise.allSettled(sessions.map(endOne));
    await load();
    setBusy(false);
    const failed = ends.filter((each) => each.status === 'rejected');
    if (failed.length === 0) return toast(sessions.length === 1 ? 'Signed out there.' : 'Signed out everywhere else.');
    toast(`${failed.length} not ended. ${errorMessage(failed[0]?.reason)}`, { isBad: true });
    void lookWhetherSignedIn();
  };
  if (list.status === 'loading') return <Loading />;
  if (list.status === 'failed') return <ErrorNotice text={list.text} onAgain={load} />;
  const others = list.items.filter(({ isCurrent }) => !isCurrent);
  return (
    <section class="settings-section" aria-labelledby="own-sessions">
      <h2 id="own-sessions">{others.length === 0 ? 'You are signed in here alone' : 'Where you are signed in'}</h2>
      <ul class="sessions">
        {thisOneFirst(list.items).map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => void end([session])} />
        ))}
      </ul>
      {others.length > 1 && (
        <button class="btn" type="button" aria-disabled={isBusy} onClick={() => void end(others)}>
          Sign out of the {others.length} others
        </button>
      )}
      <p class="help">
        One that you do not know? Sign out there, then <a href="/settings/profile">change your password</a>. It ends by
        itself 30 days after it was last used.
      </p>
    </section>
  );
}

function thisOneFirst(sessions: readonly Session[]): Session[] {
  return sessions.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

/** One that is gone already has ended, which was wanted. */
async function endOne({ id }: Session): Promise<void> {
  try {
    await request('DELETE', path`/me/sessions/${id}`);
  } catch (error) {
    if (!(error instanceof ApiError && error.statusCode === 404)) throw error;
  }
}
