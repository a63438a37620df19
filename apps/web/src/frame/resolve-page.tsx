import { useEffect } from 'preact/hooks';
import { placeOf } from '../items/url-of.ts';
import { useItem } from '../items/use-item.ts';
import { navigate } from '../router/location.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Loading } from './loading.tsx';
import { NotFound } from './not-found.tsx';
import { PageBar } from './page-bar.tsx';

/** The address that programs get for a post: leads to where it stands now. */
export function ResolvePage({ postId }: { postId: string }) {
  const found = useItem(postId);
  const to = found.status === 'found' ? placeOf(found.item) : null;
  useEffect(() => {
    if (to !== null) navigate(to, { replace: true });
  }, [to]);
  if (found.status === 'missing') return <NotFound />;
  return (
    <main class="main" id="main">
      <PageBar title="Post" />
      {found.status === 'failed' ? <ErrorNotice text={found.text} onAgain={found.again} /> : <Loading />}
    </main>
  );
}
