import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorNotice } from '../frame/error-notice.tsx';
import { Loading } from '../frame/loading.tsx';
import { PageBar } from '../frame/page-bar.tsx';
import { useAgain } from '../frame/use-again.ts';
import { LazyModule, type WhyNotFetched } from './lazy-code.ts';

interface LazyOptions<Props> {
  /** It fills a page: meanwhile words say that it is coming. */
  isPage?: boolean;
  /** It is all of a page, of this title: until it is there, the page is drawn around what stands in its place. */
  title?: string;
  /** What is drawn around what stands in its place. `isComing`: until it is there, or does not come. */
  around?: (props: Props, instead: ComponentChildren, isComing: boolean) => ComponentChildren;
  /** Hardly anybody opens it: its code is not fetched ahead. */
  isRare?: boolean;
}

/**
 * A component whose code comes apart from the first load: when it is first drawn, or a little earlier by `fetchAhead`. If
 * it does not come, it says why and how to go on.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isPage = false, title, around, isRare = false }: LazyOptions<Props> = {},
): ComponentType<Props> {
  const code = new LazyModule(load, { isAhead: !isRare });
  const fetch = () => code.fetch();
  return function Lazy(props: Props) {
    const present = code.state.value;
    useEffect(() => void fetch(), []);
    if (present.status === 'ready') return <present.code {...props} />;
    const instead =
      present.status === 'failed' ? <NotFetched why={present.why} onAgain={fetch} /> : isPage ? <Loading /> : null;
    if (around) return <>{around(props, instead, present.status === 'loading')}</>;
    if (title === undefined) return instead;
    return (
      <main class="main" id="main" aria-busy={present.status === 'loading'}>
        <PageBar title={title} />
        {instead}
      </main>
    );
  };
}

const WORDS: Readonly<Record<WhyNotFetched, string>> = {
  offline: 'You are offline. It is loaded by itself when you are back.',
  unreachable: 'The server cannot be reached. It is loaded by itself when the server is back.',
  gone: 'The server may have a newer version since this page was opened. Load it anew; what you have written is kept.',
};

/** It is asked for again by itself, too: browsers fetch code anew that did not come. */
function NotFetched({ why, onAgain }: { why: WhyNotFetched; onAgain: () => Promise<unknown> }) {
  useAgain(onAgain);
  return why === 'gone' ? (
    <ErrorNotice text={WORDS[why]} again="Load the page anew" onAgain={() => location.reload()} isByHand />
  ) : (
    <ErrorNotice text={WORDS[why]} onAgain={onAgain} isByHand />
  );
}
