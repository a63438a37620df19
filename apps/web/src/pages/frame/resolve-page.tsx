import { useEffect } from 'preact/hooks';
import { useItem } from '../../data/live/use-item.ts';
import { itemUrl } from '../../lib/item-url.ts';
import { navigate } from '../../lib/router/location.ts';
import { ErrorNotice } from '../../ui/page/error-notice.tsx';
import { Loading } from '../../ui/page/loading.tsx';
import { NotFound } from '../../ui/page/not-found.tsx';
import { PageBar } from '../../ui/page/page-bar.tsx';

/** Resolves a post's permanent URL to its current location. */
export function ResolvePage({ postId }: { postId: string }) {
  const found = useItem(postId);
  const to = found.status === 'found' ? itemUrl(found.item) : null;
  useEffect(() => {
    if (to !== null) navigate(to, { replace: true });
  }, [to]);
  if (found.status === 'missing') return <NotFound />;
  return (
    <main class="main" id="main">
      <PageBar title="Post" />
      {found.status === 'failed' ? <ErrorNotice text={found.text} onRetry={found.retry} /> : <Loading />}
    </main>
  );
}
