import CircleCheck from 'icon:circle-check';
import Send from 'icon:send';
import type { IssuedKey } from '@hub/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../api/request.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { sendTestPost } from './send-test-post.ts';

type State =
  | { status: 'idle' }
  | { status: 'sending' }
  | { status: 'sent'; id: string }
  | { status: 'failed'; text: string };

/** Sends one post with the new key, and says when it arrives here as any post does: live. */
export function TestPost({ issued, hubName }: { issued: IssuedKey; hubName: string }) {
  const { hubs } = useWorkspace();
  const [state, setState] = useState<State>({ status: 'idle' });
  const arrived = useArrivals(issued.hubId);
  const isReader = hubs.find(issued.hubId)?.isMember ?? false;
  const send = async () => {
    if (state.status === 'sending') return;
    setState({ status: 'sending' });
    try {
      setState({ status: 'sent', id: await sendTestPost(issued) });
    } catch (error) {
      setState({ status: 'failed', text: errorMessage(error) });
    }
  };
  const hasArrived = state.status === 'sent' && arrived.has(state.id);
  return (
    <div class="test-post">
      <button class="btn" type="button" aria-disabled={state.status === 'sending'} onClick={() => void send()}>
        <Send size="s" /> {state.status === 'sent' ? 'Send another' : 'Send a test post'}
      </button>
      <div class="grow" role="status">
        {state.status === 'idle' && <span class="help">It goes into {hubName}, and you see it arrive.</span>}
        {state.status === 'sending' && <span class="help">On its way…</span>}
        {state.status === 'failed' && <span class="error">Not sent. {state.text}</span>}
        {state.status === 'sent' && (hasArrived || !isReader) && (
          <Arrived id={state.id} hubName={hubName} isReader={isReader} />
        )}
        {state.status === 'sent' && !hasArrived && isReader && (
          <span class="help">The server has taken it. It is said here when it arrives.</span>
        )}
      </div>
    </div>
  );
}

function Arrived({ id, hubName, isReader }: { id: string; hubName: string; isReader: boolean }) {
  if (!isReader) {
    return (
      <span class="state is-active">
        <CircleCheck size="s" /> It is in {hubName}. You do not belong to that Hub, so you do not read it.
      </span>
    );
  }
  return (
    <span class="state is-active">
      <CircleCheck size="s" />
      <span>
        It has arrived in {hubName}.{' '}
        <a class="link" href={`/p/${id}`} target="_blank" rel="noopener">
          See it<span class="sr"> in a new tab</span>
        </a>
      </span>
    </span>
  );
}

/** The items of a Hub that the live connection has brought since this is drawn. */
function useArrivals(hubId: string): ReadonlySet<string> {
  const { hubs } = useWorkspace();
  const ids = useRef<ReadonlySet<string>>(new Set());
  const [, redraw] = useState(0);
  useEffect(
    () =>
      hubs.onEvent((event) => {
        if (event.hubId !== hubId || !/^(?:message|note|todo)\.created$/.test(event.event)) return;
        const { id } = event.data as { id: string };
        ids.current = new Set(ids.current).add(id);
        redraw((count) => count + 1);
      }),
    [hubId],
  );
  return ids.current;
}
