import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { Composer } from '../composer/composer.tsx';
import { draftOf } from '../composer/drafts.ts';
import { hasScreenKeyboard } from '../composer/screen-keyboard.ts';
import { ErrorNotice } from '../frame/error-notice.tsx';
import { useItem } from '../items/use-item.ts';
import { Panel } from '../panels/panel.tsx';
import { copyText } from '../ui/clipboard.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { repliesTo } from './conversation.ts';
import { FeedSkeleton } from './feed-skeleton.tsx';
import { editLast, replyTarget } from './message-actions.ts';
import { focusComposer, focusRows, useRowKeys } from './row-keys.ts';
import { RowOverlays } from './row-overlays.tsx';
import { newRowScope } from './row-scope.ts';
import { ThreadFeed } from './thread-feed.tsx';

/** The panel of a thread: a message and its replies. */
export function ThreadPanel({ id }: { id: string }) {
  const workspace = useWorkspace();
  const { hubs, items } = workspace;
  const found = useItem(id);
  const scope = useMemo(() => newRowScope('thread'), [id]);
  const list = useMemo(() => repliesTo(items, { id }), [items, id]);
  useEffect(() => () => list.dispose(), [list]);
  useRowKeys(scope);
  const isReplyTarget = replyTarget.value === id && found.status === 'found';
  useLayoutEffect(() => {
    if (!isReplyTarget) return;
    replyTarget.value = null;
    focusComposer(scope);
  }, [isReplyTarget]);
  if (found.status === 'failed') {
    return (
      <Panel title="Thread" hubName="">
        <ErrorNotice text={found.text} onRetry={found.retry} />
      </Panel>
    );
  }
  if (found.status === 'loading') {
    return (
      <Panel title="Thread" hubName="">
        <FeedSkeleton what="the thread" />
      </Panel>
    );
  }
  const message = found.status === 'found' && found.item.kind === 'message' ? found.item : null;
  if (message === null) {
    return (
      <Panel title="Thread" hubName="">
        <div class="empty">
          <p>This message was deleted, or you're not a member of its Hub.</p>
          <UnsentReply draftKey={id} />
        </div>
      </Panel>
    );
  }
  const { hubId } = message;
  return (
    <Panel
      title="Thread"
      hubName={hubs.find(hubId)?.name ?? ''}
      isScrolledInside
      foot={
        <Composer
          label="Reply in thread"
          hubId={hubId}
          draftKey={id}
          onSend={() => scope.toNewest()}
          isFocused={!hasScreenKeyboard()}
          onLeave={() => focusRows(scope)}
          onEditLast={() => editLast(workspace, { list, scope })}
        />
      }
    >
      <ThreadFeed message={message} list={list} scope={scope} />
      <RowOverlays scope={scope} />
    </Panel>
  );
}

/** The unsent reply to a message that was deleted. */
function UnsentReply({ draftKey }: { draftKey: string }) {
  const { me } = useWorkspace();
  const [text, setText] = useState('');
  // The composer saves its text on unmount, which is after the first render here.
  useEffect(() => setText(draftOf(me.peek().id, draftKey)), [draftKey]);
  if (text.trim() === '') return null;
  return (
    <>
      <blockquote class="current-text">{text}</blockquote>
      <button class="btn" type="button" onClick={() => void copyText(text, 'Text copied.')}>
        Copy your text
      </button>
    </>
  );
}
