import type { ApiKey } from '@hub/contract';
import type { ResourceState } from '../../data/resource.ts';
import { useResource } from '../../data/use-resource.ts';
import { When } from '../../item-text/when.tsx';
import { textOf } from '../../search/text-of.ts';
import { LOCALE } from '../../time/format.ts';
import { postsText, previewRemoval, type RemovalPreview } from './removals.ts';

/** Characters of a post to render; only one line is visible. */
const SHOWN = 200;
const NO_POSTS: RemovalPreview = { count: 0, items: [] };

type PreviewState = ResourceState<RemovalPreview> | { status: 'none' };

/** Loads a preview of removing the posts since `from`, which is `undefined` until a time is chosen. */
export function useRemovalPreview(key: ApiKey, from: string | null | undefined, isReader: boolean): PreviewState {
  const { state } = useResource(
    async (signal) => (from === undefined ? NO_POSTS : previewRemoval(key, from, { isReader, signal })),
    { key: `${key.id} ${from} ${isReader}` },
  );
  return from === undefined ? { status: 'none' } : state;
}

/** Shows the number of posts and the newest ones. */
export function RemovalPreviewList({ preview, isReader }: { preview: PreviewState; isReader: boolean }) {
  return (
    <div class="removal" role="status">
      {preview.status === 'loading' && <p>Counting…</p>}
      {preview.status === 'none' && <p>Choose a time.</p>}
      {preview.status === 'failed' && <p>{preview.text}</p>}
      {preview.status === 'ready' && <Found preview={preview.value} isReader={isReader} />}
    </div>
  );
}

function Found({ preview: { count, items }, isReader }: { preview: RemovalPreview; isReader: boolean }) {
  if (count === 0) return <p>No posts in that time.</p>;
  const left = count - (items?.length ?? 0);
  return (
    <>
      <p>
        <b>{postsText(count)}</b>
        {!isReader && '. You’re not a member of this Hub, so they aren’t shown.'}
      </p>
      {items && (
        <ul>
          {items.map((item) => (
            <li key={item.id}>
              <When at={item.createdAt} /> <bdi>{textOf(item).slice(0, SHOWN)}</bdi>
            </li>
          ))}
          {left > 0 && <li class="sub">and {left.toLocaleString(LOCALE)} more</li>}
        </ul>
      )}
    </>
  );
}
