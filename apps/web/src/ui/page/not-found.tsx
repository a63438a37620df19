import type { LostHub } from '../../data/hubs/lost-hub.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { EmptyState } from './empty-state.tsx';
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
      <EmptyState text="This page doesn’t exist, or you don’t have access to it.">
        <ToStream />
      </EmptyState>
    </main>
  );
}

const LOST_TEXTS: Record<LostHub['why'], string> = {
  deleted: 'This Hub was deleted. An admin can restore it.',
  left: 'You’re no longer a member of this Hub. Its members or an admin can add you again.',
  gone: 'This Hub was deleted, or you were removed from it. Ask an admin.',
};

/** Replaces the page of an open Hub that the user can no longer read. */
function LostHubPage({ name, why }: LostHub) {
  return (
    <main class="main" id="main">
      <PageBar title={name} />
      <EmptyState title={`You no longer have access to ${name}`} text={LOST_TEXTS[why]} isStatus>
        <ToStream />
      </EmptyState>
    </main>
  );
}

function ToStream() {
  return (
    <button class="btn" type="button" onClick={() => navigate('/stream')}>
      Go to Stream
    </button>
  );
}
