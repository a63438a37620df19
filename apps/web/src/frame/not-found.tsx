import { navigate, route } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { LostHubPage } from './lost-hub-page.tsx';
import { PageBar } from './page-bar.tsx';

/** The page for unknown URLs and for items that the user has no right to read. It does not reveal which applies. */
export function NotFound() {
  const { hubs } = useWorkspace();
  const [, hubId] = /^\/hubs\/([^/]+)/.exec(route.value.path) ?? [];
  const lost = hubId === undefined ? undefined : hubs.lost.value.get(hubId);
  if (lost) return <LostHubPage {...lost} />;
  return (
    <main class="main" id="main">
      <PageBar title="Page not found" />
      <div class="empty">
        <p>This page doesn't exist, or you don't have access to it.</p>
        <div class="actions">
          <button class="btn" type="button" onClick={() => navigate('/stream')}>
            Go to Stream
          </button>
        </div>
      </div>
    </main>
  );
}
