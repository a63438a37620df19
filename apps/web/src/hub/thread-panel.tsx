import type { Message } from '@hub/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { path, request } from '../api/request.ts';
import { Composer } from '../composer/composer.tsx';
import { OutboxRows } from '../composer/outbox-rows.tsx';
import { useItem } from '../items/use-item.ts';
import { Panel } from '../panels/panel.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { repliesTo } from './conversation.ts';
import { MessageRow } from './message-row.tsx';

/** A message and the replies to it. */
export function ThreadPanel({ id }: { id: string }) {
  const { hubs, items } = useWorkspace();
  const found = useItem(id);
  const list = useMemo(() => repliesTo(items, id), [items, id]);
  useEffect(() => () => list.dispose(), [list]);
  if (found.status !== 'found' || found.item.kind !== 'message') return null;
  const { hubId } = found.item;
  const send = async (text: string) => {
    items.takeAnswer(await request<Message>('POST', path`/messages/${id}/replies`, { body: { text } }));
  };
  return (
    <Panel
      title="Thread"
      hubName={hubs.find(hubId)?.name ?? ''}
      foot={<Composer label="Reply in the thread" hubId={hubId} draftKey={id} onSend={send} />}
    >
      <div role="log" aria-label="Thread">
        <MessageRow id={id} />
        {list.items.value.map((reply) => (
          <MessageRow key={reply.id} id={reply.id} />
        ))}
        <OutboxRows draftKey={id} />
      </div>
    </Panel>
  );
}
