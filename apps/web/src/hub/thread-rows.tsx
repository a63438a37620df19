import type { Message } from '@hub/contract';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ItemList } from '../items/item-list.ts';
import { goesOn } from './feed-rows.ts';
import { MessageRow } from './message-row.tsx';
import { enterAsOne, tabThroughRow } from './row-keys.ts';
import { type RowScope, RowScopeContext, rowElement } from './row-scope.ts';

/** So near to the end one is at the end. */
const AT_END_PX = 40;

interface ThreadRowsProps {
  message: Message;
  list: ItemList;
  scope: RowScope;
}

/** A message, how many answered it, and what they said; new answers come at the end. */
export function ThreadRows({ message, list, scope }: ThreadRowsProps) {
  const root = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const isAtEnd = useRef(true);
  const former = useRef({ first: '', height: 0 });
  const replies = list.items.value;

  scope.ids = () => [message.id, ...list.items.peek().map(({ id }) => id)];
  scope.root = () => root.current;
  scope.reveal = (id) => rowElement(scope, id)?.scrollIntoView({ block: 'nearest' });
  scope.toNewest = () => {
    const scroller = scrollerOf(root.current);
    isAtEnd.current = true;
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
  };

  useLayoutEffect(() => {
    const scroller = scrollerOf(root.current);
    const note = () => {
      if (scroller) isAtEnd.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_END_PX;
    };
    scroller?.addEventListener('scroll', note, { passive: true });
    return () => scroller?.removeEventListener('scroll', note);
  }, []);
  // Whoever is at the end stays there; for others earlier answers that come above move nothing.
  useLayoutEffect(() => {
    const scroller = scrollerOf(root.current);
    if (!scroller) return;
    const first = replies[0]?.id ?? '';
    const { first: formerFirst, height } = former.current;
    const isOlderAdded = formerFirst !== '' && first !== formerFirst;
    if (isOlderAdded) scroller.scrollTop += scroller.scrollHeight - height;
    else if (isAtEnd.current && scope.editing.peek() === null) scroller.scrollTop = scroller.scrollHeight;
    former.current = { first, height: scroller.scrollHeight };
  }, [replies]);

  const { replyCount } = message;
  const older = list.older.value;
  return (
    <RowScopeContext.Provider value={scope}>
      <div
        class="thread"
        role="log"
        aria-label={`Thread about a message of ${message.author.name}`}
        aria-relevant="additions"
        aria-busy={older.status === 'loading' || list.state.value.status === 'loading'}
        tabIndex={0}
        ref={root}
        onKeyDown={(event) => tabThroughRow(event, scope, end.current)}
        onFocusIn={(event) => enterAsOne(event, scope)}
      >
        <MessageRow id={message.id} isHead />
        {replyCount > 0 && (
          <h3 class="day">
            <span>{replyCount === 1 ? '1 reply' : `${replyCount} replies`}</span>
          </h3>
        )}
        {list.hasOlder.value && replies.length > 0 && (
          <div class="feed-edge">
            {older.status === 'failed' && <span>{older.words}</span>}
            <button class="btn is-small" type="button" onClick={() => void list.loadOlder()}>
              Earlier replies
            </button>
          </div>
        )}
        {replies.map((reply, n) => (
          <div class="feed-row" key={reply.id} data-id={reply.id}>
            <MessageRow id={reply.id} isNext={goesOn(reply, replies[n - 1])} />
          </div>
        ))}
        {list.state.value.status === 'failed' && (
          <div class="feed-edge" role="alert">
            <span>The replies did not load. {list.state.value.words}</span>
            <button class="btn is-small" type="button" onClick={() => void list.reload()}>
              Try again
            </button>
          </div>
        )}
        <span tabIndex={-1} ref={end} />
      </div>
    </RowScopeContext.Provider>
  );
}

function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  return element?.closest<HTMLElement>('.panel-scroll') ?? null;
}
