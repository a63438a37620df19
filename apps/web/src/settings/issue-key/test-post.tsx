import CircleCheck from 'icon:circle-check';
import Send from 'icon:send';
import type { IssuedKey } from '@hub/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../data/request.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { sendTestPost } from './send-test-post.ts';

type State =
  | { status: 'idle' }
  | { status: 'sending' }
  | { status: 'sent'; id: string }
  | { status: 'failed'; text: string };

/** Sends one post with the new key and shows when it arrives over the live connection. */
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
        {state.status === 'idle' && <span class="help">Posts to {hubName} and shows when it arrives.</span>}
        {state.status === 'sending' && <span class="help">Sending…</span>}
        {state.status === 'failed' && <span class="error">Not sent. {state.text}</span>}
        {state.status === 'sent' && (hasArrived || !isReader) && (
          <Arrived id={state.id} hubName={hubName} isReader={isReader} />
        )}
        {state.status === 'sent' && !hasArrived && isReader && (
          <span class="help">Accepted. Waiting for it to arrive…</span>
        )}
      </div>
    </div>
  );
}

function Arrived({ id, hubName, isReader }: { id: string; hubName: string; isReader: boolean }) {
  if (!isReader) {
    return (
      <span class="state is-active">
        <CircleCheck size="s" /> Posted to {hubName}. You’re not a member of this Hub, so you can’t see it.
      </span>
    );
  }
  return (
    <span class="state is-active">
      <CircleCheck size="s" />
      <span>
        Arrived in {hubName}.{' '}
        <a class="link" href={`/p/${id}`} target="_blank" rel="noopener">
          View post<span class="sr"> in a new tab</span>
        </a>
      </span>
    </span>
  );
}

/** Returns the ids of items that arrived in the Hub over the live connection since the component mounted. */
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
