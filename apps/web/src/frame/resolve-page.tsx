import { useEffect } from 'preact/hooks';
import { itemUrl } from '../items/item-url.ts';
import { useItem } from '../items/use-item.ts';
import { navigate } from '../router/location.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Loading } from './loading.tsx';
import { NotFound } from './not-found.tsx';
import { PageBar } from './page-bar.tsx';

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
