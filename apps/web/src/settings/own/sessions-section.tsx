import type { Session } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { path, request, wordsOf } from '../../api/request.ts';
import { Loading } from '../../frame/loading.tsx';
import { Trouble } from '../../frame/trouble.tsx';
import { lookWhetherSignedIn } from '../../session/session.ts';
import { fullTime, shortTime } from '../../time/format.ts';
import { now } from '../../time/now.ts';
import { toast } from '../../ui/toast.tsx';
import { browserName } from './browser-name.ts';

type Sessions = { status: 'loading' } | { status: 'ready'; items: Session[] } | { status: 'failed'; words: string };

/** Where one is signed in; each can be ended. */
export function SessionsSection() {
  const [sessions, setSessions] = useState<Sessions>({ status: 'loading' });
  const load = async () => {
    try {
      const { items } = await request<{ items: Session[] }>('GET', '/me/sessions', { query: { limit: 100 } });
      setSessions({ status: 'ready', items });
    } catch (error) {
      setSessions({ status: 'failed', words: wordsOf(error) });
    }
  };
  useEffect(() => void load(), []);
  const end = async ({ id }: Session) => {
    try {
      await request('DELETE', path`/me/sessions/${id}`);
      await load();
    } catch (error) {
      toast(`Not ended. ${wordsOf(error)}`, { isBad: true });
      void lookWhetherSignedIn();
    }
  };
  return (
    <section class="own" aria-labelledby="own-sessions">
      <h2 id="own-sessions">Where you are signed in</h2>
      {sessions.status === 'loading' && <Loading />}
      {sessions.status === 'failed' && <Trouble words={sessions.words} onAgain={load} />}
      {sessions.status === 'ready' && (
        <ul class="sessions">
          {sessions.items.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => void end(session)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { userAgent, address, lastUsedAt, isCurrent } = session;
  const name = browserName(userAgent);
  return (
    <li>
      <span>
        <b>{name}</b>
        {isCurrent && <span class="state is-active">this one</span>}
        <span class="help">
          {address}, last used{' '}
          <time dateTime={lastUsedAt} title={fullTime(lastUsedAt)}>
            {shortTime(lastUsedAt, now.value)}
          </time>
        </span>
      </span>
      {!isCurrent && (
        <button class="btn is-small" type="button" aria-label={`Sign out ${name} at ${address}`} onClick={onEnd}>
          Sign out
        </button>
      )}
    </li>
  );
}
