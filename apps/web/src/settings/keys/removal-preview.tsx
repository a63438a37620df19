import type { ApiKey } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../api/request.ts';
import { When } from '../../item-text/when.tsx';
import { textOf } from '../../search/text-of.ts';
import { LOCALE } from '../../time/format.ts';
import { postsText, previewRemoval, type RemovalPreview } from './removals.ts';

/** One line of it is seen. */
const SHOWN = 200;

type PreviewState =
  | { status: 'none' | 'loading' }
  | ({ status: 'ready' } & RemovalPreview)
  | { status: 'failed'; text: string };

/** What a removal from `from` on would take; `undefined`: it is not chosen yet. */
export function useRemovalPreview(key: ApiKey, from: string | null | undefined, isReader: boolean): PreviewState {
  const [state, setState] = useState<PreviewState>({ status: 'loading' });
  useEffect(() => {
    if (from === undefined) {
      setState({ status: 'none' });
      return;
    }
    const stop = new AbortController();
    setState({ status: 'loading' });
    previewRemoval(key, from, { isReader, signal: stop.signal }).then(
      (preview) => setState({ status: 'ready', ...preview }),
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ status: 'failed', text: errorMessage(error) });
      },
    );
    return () => stop.abort();
  }, [key.id, from, isReader]);
  return state;
}

/** How many they are, and the newest of them. */
export function RemovalPreviewList({ preview, isReader }: { preview: PreviewState; isReader: boolean }) {
  return (
    <div class="removal" role="status">
      {preview.status === 'loading' && <p>Counting…</p>}
      {preview.status === 'none' && <p>Choose a time.</p>}
      {preview.status === 'failed' && <p>{preview.text}</p>}
      {preview.status === 'ready' && <Found preview={preview} isReader={isReader} />}
    </div>
  );
}

function Found({ preview: { count, items }, isReader }: { preview: RemovalPreview; isReader: boolean }) {
  if (count === 0) return <p>It posted nothing in that time.</p>;
  const left = count - (items?.length ?? 0);
  return (
    <>
      <p>
        <b>{postsText(count)}</b>
        {!isReader && '. You do not belong to this Hub, so they are not shown here.'}
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
