import type { Item } from '@hub/contract';
import { useMemo } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { activeMembers } from '../../data/members/members.ts';
import { nameDivider } from '../../lib/posts/mentioned-names.ts';
import { readItem, sourceOf } from '../../lib/posts/read-post.ts';
import { Post } from './post.tsx';
import { useTasks } from './task-box.tsx';

interface PostBodyProps {
  item: Item;
  /** Collapses the post after this many lines; never if omitted. */
  collapseLines?: number;
}

/** The formatted content of an item: its blocks or its Markdown. */
export function PostBody({ item, collapseLines }: PostBodyProps) {
  const workspace = useWorkspace();
  const { id, mentions, hubId } = item;
  const source = useMemo(() => sourceOf(item), [item]);
  const post = useMemo(() => readItem(item), [id, source]);
  const tasks = useTasks(item, post);
  const members = mentions.length === 0 ? null : activeMembers(workspace, hubId).value;
  const findNames = useMemo(() => (members ? nameDivider(mentions, members) : null), [members, mentions.join()]);
  return (
    <Post
      key={id}
      post={post}
      findNames={findNames}
      myId={workspace.me.value.id}
      tasks={tasks}
      name={id}
      collapseLines={collapseLines}
    />
  );
}
