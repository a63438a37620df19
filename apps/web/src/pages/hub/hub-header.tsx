import type { Hub, HubCounts } from '@hub/contract';
import { Ellipsis, KeyRound, Users } from 'icons';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Resource, useWorkspace, useWorkspaceChanges } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { JitteredDebounce } from '../../lib/jittered-debounce.ts';
import { safeUrl } from '../../lib/posts/safe-url.ts';
import { Button, Opener } from '../../ui/button.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { MenuButton, UnreadCount } from '../../ui/page/navigation.tsx';
import type { HubDialogKind } from './hub-dialogs.tsx';

export type HubTab = 'conversation' | 'todos' | 'notes' | 'files';

const HubMenu = lazy(async () => (await import('./hub-menu.tsx')).HubMenu);
const HubDialog = lazy(async () => (await import('./hub-dialogs.tsx')).HubDialog);

export function HubHeader({ hub, tab }: { hub: Hub; tab: HubTab }) {
  const [dialog, openDialog] = useState<HubDialogKind | null>(null);
  const counts = useHubCounts(hub.id);
  const tabTo = (name: HubTab, to: string, label: string, unread = 0, count?: number | null) => (
    <a class={unread ? 'tab is-new' : 'tab'} href={to} aria-current={name === tab ? 'page' : undefined}>
      {label} {unread > 0 ? <UnreadCount count={unread} noun="new" /> : count ? <span class="num">{count}</span> : null}
    </a>
  );
  const { message, todo, note } = hub.unreadCounts ?? {};
  return (
    <header class="bar">
      <MenuButton />
      <h1 class="bar-title">
        <span>{hub.name}</span>
      </h1>
      <nav class="tabs" aria-label={hub.name}>
        {tabTo('conversation', `/hubs/${hub.id}`, 'Conversation', message)}
        {tabTo('todos', `/hubs/${hub.id}/todos`, 'To-dos', todo, counts?.openTodos)}
        {tabTo('notes', `/hubs/${hub.id}/notes`, 'Notes', note, counts?.notes)}
        {tabTo('files', `/hubs/${hub.id}/files`, 'Files')}
      </nav>
      {hub.topic !== null && <Topic text={hub.topic} />}
      <div class="bar-end">
        <Button variant="is-bare is-small hide-s" data-tip="Members" onClick={() => openDialog('members')}>
          <span class="sr">Members: </span>
          <Users />
          <span class="num">{counts?.members ?? ''}</span>
        </Button>
        {counts?.keys !== undefined && counts.keys !== null && (
          <a class="btn is-bare is-small hide-s" href={`/settings/keys?hub=${hub.id}`} data-tip="API keys">
            <span class="sr">API keys: </span>
            <KeyRound />
            <span class="num">{counts.keys}</span>
          </a>
        )}
        <Opener
          class="icon-btn"
          aria-label="Hub options"
          aria-haspopup="menu"
          renderPopover={(opened) => (
            <HubMenu {...opened} hub={hub} mayIssueKeys={counts?.keys != null} openDialog={openDialog} />
          )}
        >
          <Ellipsis />
        </Opener>
      </div>
      {dialog && <HubDialog kind={dialog} hub={hub} onClose={() => openDialog(null)} />}
    </header>
  );
}

function Topic({ text }: { text: string }) {
  return (
    <p class="topic cut" title={text}>
      {text.split(/(https?:\/\/\S*[^\s.,;:!?)])/).map((part, n) => {
        const href = n % 2 ? safeUrl(part) : null;
        return href === null ? (
          part
        ) : (
          <a href={href} target="_blank" rel="noopener noreferrer nofollow">
            {part.replace(/^https?:\/\//, '')}
          </a>
        );
      })}
    </p>
  );
}

/** Several events in quick succession cause one request. */
const SOON_MS = 200;
const COUNTED = /^(?:todo|note|member|items)\./;

/** The last counts of each Hub, so that the header does not shift when the user returns. Signing out reloads the page. */
const lastCounts = new Map<string, HubCounts>();

/** Returns the counts of a Hub, or null until they are loaded. Reloads them after events that change them. */
function useHubCounts(hubId: string): HubCounts | null {
  const { hubs } = useWorkspace();
  const counts = useMemo(
    () => new Resource((signal) => request('GET /hubs/{hubId}/counts', { hubId, signal })),
    [hubId],
  );
  useWorkspaceChanges(['keys'], () => void counts.reload());
  useEffect(() => {
    const soon = new JitteredDebounce(SOON_MS, () => void counts.reload());
    const stop = hubs.onEvent((event) => {
      if (event.hubId === hubId && COUNTED.test(event.event)) soon.schedule();
    });
    counts.load();
    return () => {
      stop();
      soon.cancel();
      counts.close();
    };
  }, [counts]);
  const state = counts.state.value;
  if (state.status === 'ready') lastCounts.set(hubId, state.value);
  return lastCounts.get(hubId) ?? null;
}
