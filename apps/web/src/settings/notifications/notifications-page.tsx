import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { PageHead } from '../page-head.tsx';
import { BrowserSection } from './browser-section.tsx';
import { EventsSection } from './events-section.tsx';
import { HubsSection } from './hubs-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { QuietSection } from './quiet-section.tsx';

/** The user's notification settings. All are stored on the server, except those for this browser. */
export function NotificationsPage() {
  const { state, reload, set } = useResource((signal) => request('GET /me/notices', { signal }));
  return (
    <div class="settings-in is-own">
      <PageHead title="Notifications" about="Choose what you’re notified about when you’re away." />
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <ErrorNotice text={state.text} onRetry={reload} />}
      {state.status === 'ready' && (
        <>
          <BrowserSection settings={state.value} />
          <EventsSection settings={state.value} onChange={set} />
          <QuietSection settings={state.value} onChange={set} />
          <HubsSection settings={state.value} onChange={set} />
          <KeysSection settings={state.value} onChange={set} />
        </>
      )}
    </div>
  );
}
