import { navigate, place } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { LostHubPage } from './lost-hub-page.tsx';
import { PageBar } from './page-bar.tsx';

/** An address that leads nowhere, or to what one may not see: which of them is not said. */
export function NotFound() {
  const { hubs } = useWorkspace();
  const [, hubId] = /^\/hubs\/([^/]+)/.exec(place.value.path) ?? [];
  const lost = hubId === undefined ? undefined : hubs.lost.value.get(hubId);
  if (lost) return <LostHubPage {...lost} />;
  return (
    <main class="main" id="main">
      <PageBar title="Nothing here" />
      <div class="empty">
        <p>There is no such page, or you do not belong to its Hub.</p>
        <div class="actions">
          <button class="btn" type="button" onClick={() => navigate('/stream')}>
            Go to the Stream
          </button>
        </div>
      </div>
    </main>
  );
}
