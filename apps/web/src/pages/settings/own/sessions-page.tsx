import type { Session } from '@hub/contract';
import { deviceName } from '@hub/contract/device-name';
import { Monitor, Smartphone } from 'icons';
import { useResource } from '../../../data/live/workspace.ts';
import { ApiError, allPages, errorMessage, request } from '../../../data/request.ts';
import { checkSignedIn } from '../../../data/session/session.ts';
import { countText } from '../../../lib/count-text.ts';
import { Button } from '../../../ui/button.tsx';
import { useTask } from '../../../ui/forms/form.tsx';
import { Loaded, PageBody, Section } from '../../../ui/forms/page-body.tsx';
import { ListRow, RowButton } from '../../../ui/forms/table.tsx';
import { When } from '../../../ui/items/when.tsx';
import { toast } from '../../../ui/toast.tsx';
import { isPhone } from '../settings-texts.ts';

export function SessionsPage() {
  const { state, reload } = useResource((signal) => allPages('GET /me/sessions', { signal }), { topics: [] });
  return (
    <PageBody
      title="Sessions"
      about="Browsers where you’re signed in. Access tokens are separate and keep working when you sign out."
      variant="is-own"
    >
      <Loaded state={state} onRetry={reload}>
        {(sessions) => <SessionsSection sessions={sessions} onChanged={reload} />}
      </Loaded>
    </PageBody>
  );
}

function SessionsSection({ sessions, onChanged }: { sessions: readonly Session[]; onChanged: () => Promise<void> }) {
  const { run, isBusy } = useTask();
  const end = (ended: readonly Session[]) =>
    run(async () => {
      const ends = await Promise.allSettled(ended.map(endOne));
      await onChanged();
      const failed = ends.filter((each) => each.status === 'rejected');
      if (failed.length === 0) return toast(ended.length === 1 ? 'Signed out.' : 'Signed out everywhere else.');
      toast(`Couldn’t sign out of ${countText(failed.length, 'session')}. ${errorMessage(failed[0]?.reason)}`, {
        isError: true,
      });
      void checkSignedIn();
    });
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  return (
    <Section id="own-sessions" title={others.length === 0 ? 'You’re only signed in here' : 'Where you’re signed in'}>
      <ul class="sessions">
        {currentFirst(sessions).map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => void end([session])} />
        ))}
      </ul>
      {others.length > 1 && (
        <Button
          label={`Sign out of ${others.length} other sessions`}
          aria-disabled={isBusy}
          onClick={() => void end(others)}
        />
      )}
      <p class="help">
        Don’t recognize one? Sign out of it, then <a href="/settings/profile">change your password</a>. Sessions end 30
        days after their last use, and at most 90 days after signing in.
      </p>
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { userAgent, address, lastUsedAt, createdAt, isCurrent } = session;
  const name = deviceName(userAgent);
  return (
    <ListRow
      image={isPhone(userAgent) ? <Smartphone size="m" /> : <Monitor size="m" />}
      name={name}
      badge={isCurrent && <span class="state is-active">This browser</span>}
      sub={
        <>
          {address}, last used <When at={lastUsedAt} />, signed in <When at={createdAt} />
        </>
      }
    >
      {!isCurrent && (
        <RowButton label={`Sign out ${name} at ${address}`} onClick={onEnd}>
          Sign out
        </RowButton>
      )}
    </ListRow>
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
