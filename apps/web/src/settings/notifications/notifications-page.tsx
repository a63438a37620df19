import type { NotificationSettings } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage, request } from '../../api/request.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { PageHead } from '../page-head.tsx';
import { BrowserSection } from './browser-section.tsx';
import { EventsSection } from './events-section.tsx';
import { HubsSection } from './hubs-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { QuietSection } from './quiet-section.tsx';

type State =
  | { status: 'loading' }
  | { status: 'ready'; settings: NotificationSettings }
  | { status: 'failed'; text: string };

/** The user's notification settings. All are stored on the server, except those for this browser. */
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
      <PageHead title="Notifications" about="Choose what you’re notified about when you’re away." />
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <ErrorNotice text={state.text} onRetry={load} />}
      {state.status === 'ready' && (
        <>
          <BrowserSection settings={state.settings} />
          <EventsSection settings={state.settings} onChange={take} />
          <QuietSection settings={state.settings} onChange={take} />
          <HubsSection settings={state.settings} onChange={take} />
          <KeysSection settings={state.settings} onChange={take} />
        </>
      )}
    </div>
  );
}
