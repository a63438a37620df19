import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { useRowKeys } from '../hub/row-keys.ts';
import { newRowScope, type RowScope, rowElement } from '../hub/row-scope.ts';
import { itemUrl } from '../items/item-url.ts';
import { navigate } from '../router/location.ts';
import type { FeedRow } from './feed-rows.ts';
import type { KeptFeed } from './kept-feed.ts';

interface StreamRows {
  rows: readonly FeedRow[];
  root: RefObject<HTMLElement | null>;
  toTop: () => void;
}

/** Keyboard shortcuts and actions for the rows of a feed: as in a Hub, except that Enter opens the item in its Hub. */
export function useStreamRows(feed: KeptFeed, { rows, root, toTop }: StreamRows): RowScope {
  const scope = useMemo(() => newRowScope('stream'), [feed]);
  scope.ids = () => rows.map(({ id }) => id);
  scope.root = () => root.current;
  scope.reveal = (id) => rowElement(scope, id)?.scrollIntoView({ block: 'nearest' });
  scope.toNewest = toTop;
  scope.open = (item) => navigate(itemUrl(item));
  useRowKeys(scope);
  return scope;
}
