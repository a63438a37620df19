import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { typeAhead } from '../../lib/keyboard/shortcuts.ts';
import { LazyModule, type WhyNotFetched } from './lazy-code.ts';
import { ErrorNotice, Loading, useRetry } from './load-states.tsx';
import { PageBar } from './page-bar.tsx';

interface LazyOptions<Props> {
  /** Whether the component fills a page, which then shows a message while loading. */
  isPage?: boolean;
  /** The path of the page. If the app starts there, its code loads alongside the session. */
  path?: string;
  /** The title of the page, rendered around the placeholder until the code has loaded. */
  title?: string;
  /** Renders a frame around the placeholder. `isComing`: still loading. */
  around?: (props: Props, instead: ComponentChildren, isComing: boolean) => ComponentChildren;
  /** Whether the component is rarely opened, so that its code is not prefetched. */
  isRare?: boolean;
  /** Whether the component focuses a field when it opens. It then gets what is typed while it loads. */
  takesText?: boolean;
}

/** Returns a component whose code loads on its first render or ahead of it, with a retry button on failure. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isPage = false, path, title, around, isRare = false, takesText = false }: LazyOptions<Props> = {},
): ComponentType<Props> {
  const code = new LazyModule(async () => (await Promise.all([load(), loadStyles()]))[0], { isAhead: !isRare });
  const fetch = () => code.fetch();
  if (path !== undefined && isBelow(path)) void fetch();
  return function Lazy(props: Props) {
    const present = code.state.value;
    useEffect(() => void fetch(), []);
    const isComing = takesText && present.status === 'loading';
    useLayoutEffect(() => (isComing ? typeAhead() : undefined), [isComing]);
    if (present.status === 'ready') return <present.code {...props} />;
    const instead =
      present.status === 'failed' ? <NotFetched why={present.why} onRetry={fetch} /> : isPage ? <Loading /> : null;
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

let styles: Promise<void> | null = null;

/** Loads the style sheet that all lazy code shares. @throws if it cannot be loaded; the next call tries again. */
function loadStyles(): Promise<void> {
  styles ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = document.querySelector<HTMLMetaElement>('meta[name="hub-page-styles"]')?.content ?? '';
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      styles = null;
      reject(new Error('The style sheet could not be loaded'));
    };
    document.head.append(link);
  });
  return styles;
}

function isBelow(path: string): boolean {
  const { pathname } = globalThis.location;
  return pathname === path || pathname.startsWith(`${path}/`);
}

const TEXTS: Readonly<Record<WhyNotFetched, string>> = {
  offline: 'You’re offline. This loads automatically when you’re back.',
  unreachable: 'Can’t reach the server. This loads automatically when the server is back.',
  gone: 'The server may have been updated since you opened this page. Reload to continue; your drafts are saved.',
};

/** The error for code that failed to load. It also retries automatically. */
function NotFetched({ why, onRetry }: { why: WhyNotFetched; onRetry: () => Promise<unknown> }) {
  useRetry(onRetry);
  return why === 'gone' ? (
    <ErrorNotice text={TEXTS[why]} retryLabel="Reload page" onRetry={() => location.reload()} isByHand />
  ) : (
    <ErrorNotice text={TEXTS[why]} onRetry={onRetry} isByHand />
  );
}
