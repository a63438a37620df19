import type { Hub, Message } from '@hub/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { path, request } from '../api/request.ts';
import { Composer } from '../composer/composer.tsx';
import { OutboxRows } from '../composer/outbox-rows.tsx';
import { Trouble } from '../frame/trouble.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { conversationOf } from './conversation.ts';
import { MessageRow } from './message-row.tsx';

/** The messages of a Hub, and where one writes them. */
export function ConversationTab({ hub }: { hub: Hub }) {
  const { items } = useWorkspace();
  const list = useMemo(() => conversationOf(items, hub.id), [items, hub.id]);
  useEffect(() => () => list.dispose(), [list]);
  const state = list.state.value;
  const send = async (text: string) => {
    items.takeAnswer(await request<Message>('POST', path`/hubs/${hub.id}/messages`, { body: { text } }));
  };
  return (
    <>
      <div class="feed" role="log" aria-label={`Conversation in ${hub.name}`} tabIndex={0}>
        <div class="feed-in">
          {state.status === 'failed' && <Trouble words={state.words} onAgain={() => void list.reload()} />}
          {list.items.value.map(({ id }) => (
            <MessageRow key={id} id={id} />
          ))}
          <OutboxRows draftKey={hub.id} />
        </div>
      </div>
      <Composer label={`Message to ${hub.name}`} hubId={hub.id} draftKey={hub.id} onSend={send} />
    </>
  );
}
