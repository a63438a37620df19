import type { NotificationSettings } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage, request } from '../../api/request.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { PageHead } from '../page-head.tsx';
import { BrowserSection } from './browser-section.tsx';
import { HubsSection } from './hubs-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { NewsSection } from './news-section.tsx';
import { QuietSection } from './quiet-section.tsx';

type State =
  | { status: 'loading' }
  | { status: 'ready'; settings: NotificationSettings }
  | { status: 'failed'; text: string };

/** What oneself is told of, and how: the choices are kept on the server, but for those of this browser. */
export function NotificationsPage() {
  const [state, setState] = useState<State>({ status: 'loading' });
  const load = async () => {
    try {
      setState({ status: 'ready', settings: await request<NotificationSettings>('GET', '/me/notices') });
    } catch (error) {
      setState({ status: 'failed', text: errorMessage(error) });
    }
  };
  useEffect(() => void load(), []);
  const take = (settings: NotificationSettings) => setState({ status: 'ready', settings });
  return (
    <div class="settings-in is-own">
      <PageHead title="Notices" about="What you are told of while you look elsewhere." />
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <ErrorNotice text={state.text} onAgain={load} />}
      {state.status === 'ready' && (
        <>
          <BrowserSection settings={state.settings} />
          <NewsSection settings={state.settings} onChange={take} />
          <QuietSection settings={state.settings} onChange={take} />
          <HubsSection settings={state.settings} onChange={take} />
          <KeysSection settings={state.settings} onChange={take} />
        </>
      )}
    </div>
  );
}
