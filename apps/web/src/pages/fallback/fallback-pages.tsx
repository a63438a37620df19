import type { Hub } from '@hub/contract';
import { useEffect } from 'preact/hooks';
import type { LostHub } from '../../data/hubs/hub-list.ts';
import { useItem } from '../../data/live/use-item.ts';
import { useResource, useWorkspace } from '../../data/live/workspace.ts';
import { allPages, request } from '../../data/request.ts';
import { itemUrl } from '../../lib/items.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { Problem, useTask } from '../../ui/forms/form.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/page/load-states.tsx';
import { Page } from '../../ui/page/navigation.tsx';

/** The page for unknown URLs and for items that the user has no right to read. It does not reveal which applies. */
export function NotFound() {
  const { hubs, me } = useWorkspace();
  const [, hubId] = /^\/hubs\/([^/]+)/.exec(route.value.path) ?? [];
  if (hubId === undefined) return <Missing />;
  const lost = hubs.lost.value.get(hubId);
  if (lost) return <LostHubPage hubId={hubId} {...lost} />;
  return me.value.role === 'member' ? <Missing /> : <DeletedHubPage hubId={hubId} />;
}

function Missing() {
  return (
    <Page title="Page not found">
      <EmptyState text="This page doesn’t exist, or you don’t have access to it.">
        <ToStream />
      </EmptyState>
    </Page>
  );
}

const LOST_TEXTS: Record<LostHub['why'], string> = {
  deleted: 'This Hub was deleted. An admin can restore it.',
  left: 'You’re no longer a member of this Hub. An admin can add you again.',
  gone: 'This Hub was deleted, or you were removed from it. Ask an admin.',
};

/** Shows an admin the way to restore a Hub that was deleted before the page was opened. */
function DeletedHubPage({ hubId }: { hubId: string }) {
  const { state, reload } = useResource((signal) => allPages('GET /hubs', { query: { state: 'deleted' }, signal }), {
    topics: ['hubs'],
  });
  if (state.status === 'loading') return <Loading />;
  if (state.status === 'failed') {
    return (
      <Page title="Hub">
        <ErrorNotice text={state.text} onRetry={reload} />
      </Page>
    );
  }
  const hub = state.value.find(({ id }) => id === hubId);
  return hub ? <LostHubPage hubId={hubId} name={hub.name} why="deleted" /> : <Missing />;
}

/** Replaces the page of a Hub that the user can no longer read. */
function LostHubPage({ hubId, name, why }: LostHub & { hubId: string }) {
  const { me } = useWorkspace();
  const mayRestore = why === 'deleted' && me.value.role !== 'member';
  return (
    <Page title={name}>
      <EmptyState
        title={`You no longer have access to ${name}`}
        text={mayRestore ? 'This Hub was deleted. You can restore it in its settings.' : LOST_TEXTS[why]}
        isStatus
      >
        {mayRestore && <Button label="Go to its settings" onClick={() => navigate(`/settings/hubs?hub=${hubId}`)} />}
        <ToStream />
      </EmptyState>
    </Page>
  );
}

/** The way out of a page that the user cannot see. */
export function ToStream() {
  return <Button label="Go to Stream" onClick={() => navigate('/stream')} />;
}

/** The page that an admin sees for a Hub that they manage but are not a member of. */
export function OutsideHubPage({ hub: { id, name } }: { hub: Hub }) {
  const { me, hubs } = useWorkspace();
  const { run, isBusy, error } = useTask();
  const join = () =>
    run(async () => {
      await request('POST /hubs/{hubId}/members', { hubId: id, body: { userId: me.peek().id } });
      await hubs.load();
    });
  return (
    <Page title={name}>
      <div class="empty">
        <h2>You’re not a member of {name}</h2>
        <p>
          Admins can manage every Hub, but can read only Hubs they’re members of. You can add yourself; the audit log
          records it.
        </p>
        <Problem text={error} />
        <div class="actions">
          <Button variant="is-main" label={`Add me to ${name}`} aria-disabled={isBusy} onClick={() => void join()} />
        </div>
      </div>
    </Page>
  );
}

/** Resolves a post's permanent URL to its current location. */
export function ResolvePage({ postId }: { postId: string }) {
  const post = useItem(postId);
  const to = post.status === 'ready' ? itemUrl(post.item) : null;
  useEffect(() => {
    if (to !== null) navigate(to, { replace: true });
  }, [to]);
  if (post.status === 'missing') return <NotFound />;
  return (
    <Page title="Post">
      {post.status === 'failed' ? <ErrorNotice text={post.text} onRetry={post.retry} /> : <Loading />}
    </Page>
  );
}
