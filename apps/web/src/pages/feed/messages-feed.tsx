import type { Item } from '@hub/contract';
import type { ComponentChildren } from 'preact';
import type { ItemList } from '../../data/items/item-list.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { dayHeading, now } from '../../lib/time/format.ts';
import { DayHeading } from '../../ui/items/when.tsx';
import { unreadText } from '../../ui/page/navigation.tsx';
import { Feed } from './feed.tsx';
import { FeedEdge } from './feed-edges.tsx';
import { beginsDay, countFrom, firstAfter, indexOfSeq, isHeadless } from './feed-rows.ts';
import { HEAD } from './feed-scroll.ts';
import type { FeedView } from './feed-view.ts';
import { MessageRow } from './message-row.tsx';
import type { RowScope } from './row-scope.ts';

interface MessagesFeedProps {
  label: string;
  list: ItemList;
  view: FeedView;
  scope: RowScope;
  /** The "New" divider goes above the first item by others after this event. */
  unreadAfter?: number | null;
  /** How many unread items there are, up to the server's limit. */
  unreadCount?: number;
  beginning?: ComponentChildren;
  /** Shown above all messages, including those that are not loaded. */
  head?: ComponentChildren;
  /** The item that the messages reply to. Its day already has a heading and does not get another. */
  follows?: Item;
  children?: ComponentChildren;
  isSpotSaved?: boolean;
}

/** A conversation or a thread, the newest message at the end. */
export function MessagesFeed(props: MessagesFeedProps) {
  const { list, view, unreadAfter = null, unreadCount = 0, beginning = null, head, follows, children, ...feed } = props;
  const { mayBeNew } = useWorkspace().hubs;
  const { items, repeats, start } = view.drawn.value;
  // If all loaded items are newer than the marker, older ones may be unread too.
  const isDividerLoaded = unreadAfter !== null && (indexOfSeq(items, unreadAfter + 1) > 0 || !list.hasOlder.value);
  const divider = isDividerLoaded ? firstAfter(items, unreadAfter, mayBeNew) : -1;
  const loaded = list.items.value;
  const newCount = countFrom(loaded, indexOfSeq(loaded, (unreadAfter ?? 0) + 1), mayBeNew);
  const dividerCount = divider < 0 ? '' : unreadText(list.hasNewer.value ? Math.max(newCount, unreadCount) : newCount);
  const isDay = (index: number) => {
    const item = items[index];
    const before = items[index - 1] ?? (list.hasOlder.peek() ? undefined : follows);
    return item !== undefined && beginsDay(item, before);
  };
  return (
    <Feed
      {...feed}
      view={view}
      hiddenHeading={!follows && !isDay(start) && <HiddenDay item={items[start]} />}
      head={
        <>
          {head && <div data-id={HEAD}>{head}</div>}
          <FeedEdge list={list} view={view} beginning={beginning} />
        </>
      }
      renderRow={(index) => {
        const { id = '', createdAt = '' } = items[index] ?? {};
        return (
          <>
            {isDay(index) && <DayHeading at={createdAt} Level={follows ? 'h3' : 'h2'} />}
            {index === divider && dividerCount !== '' && <NewDivider count={dividerCount} />}
            <MessageRow
              id={id}
              isNext={index !== divider && isHeadless(items, index)}
              isNew={divider >= 0 && index >= divider}
              repeats={repeats.get(id)}
            />
          </>
        );
      }}
    >
      {children}
    </Feed>
  );
}

/** The divider above the first unread message. `count` is a label such as "100+". */
function NewDivider({ count }: { count: string }) {
  const text = count === '1' ? '1 new message below' : `${count} new messages below`;
  return (
    <div class="new-divider" role="separator" aria-label={text}>
      {count} new
    </div>
  );
}

/** A hidden day heading above the headings in posts, since the visible one may not be drawn. */
function HiddenDay({ item }: { item: Item | undefined }) {
  return item ? <h2 class="sr">{dayHeading(item.createdAt, now.value).day}</h2> : null;
}
