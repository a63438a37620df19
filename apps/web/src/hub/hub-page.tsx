import { useEffect, useMemo } from 'preact/hooks';
import { Loading } from '../frame/loading.tsx';
import { NotFound } from '../frame/not-found.tsx';
import { Trouble } from '../frame/trouble.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { conversationOf } from './conversation.ts';
import { MessageRow } from './message-row.tsx';

/** One Hub: its conversation. */
export function HubPage({ hubId }: { hubId: string }) {
  const { hubs, items } = useWorkspace();
  const list = useMemo(() => conversationOf(items, hubId), [items, hubId]);
  useEffect(() => () => list.dispose(), [list]);
  const hub = hubs.find(hubId);
  if (!hub) return hubs.isLoaded.value ? <NotFound /> : <Loading />;
  const state = list.state.value;
  return (
    <main class="main" id="main">
      <header class="bar">
        <h1 class="bar-title">
          <span>{hub.name}</span>
        </h1>
      </header>
      <div class="feed" role="log" aria-label={`Conversation in ${hub.name}`} tabIndex={0}>
        <div class="feed-in">
          {state.status === 'failed' && <Trouble words={state.words} onAgain={() => void list.reload()} />}
          {list.items.value.map(({ id }) => (
            <MessageRow key={id} id={id} />
          ))}
        </div>
      </div>
    </main>
  );
}
