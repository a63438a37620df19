import { HubPage } from '../hub/hub-page.tsx';
import { navigate, place } from '../router/location.ts';
import { match } from '../router/match.ts';
import { StreamPage } from '../stream/stream-page.tsx';
import { Toasts } from '../ui/toast.tsx';
import { NotFound } from './not-found.tsx';
import { Sidebar } from './sidebar.tsx';

/** Every page of the workspace, beside the list of Hubs. */
export function WorkspacePages() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="app">
        <Sidebar />
        <Page />
      </div>
      <Toasts />
    </>
  );
}

function Page() {
  const { path } = place.value;
  if (path === '/') navigate('/stream', { replace: true });
  if (path === '/' || path === '/stream') return <StreamPage />;
  const hub = match('/hubs/:hubId', path);
  if (hub) return <HubPage key={hub.hubId} hubId={hub.hubId} />;
  return <NotFound />;
}
