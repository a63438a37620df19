import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { WorkspaceContext } from './data/live/workspace.ts';
import { resume, session } from './data/session/session.ts';
import { linkKindOf } from './lib/router/urls.ts';
import { WorkspacePages } from './pages/frame/workspace-pages.tsx';
import { lazy } from './ui/page/lazy.tsx';
import { ErrorNotice, Loading } from './ui/page/load-states.tsx';

const SignInPage = lazy(async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage, {
  isPage: true,
  isRare: true,
});
const SessionEnded = lazy(async () => (await import('./pages/sign-in/session-ended.tsx')).SessionEnded, {
  isPage: true,
  around: (_props, instead) => <Cover>{instead}</Cover>,
});

/** The page of a one-time link leaves by loading another page. */
const linkKind = linkKindOf(location.pathname);

export function App() {
  const state = session.value;
  if (linkKind !== undefined) return <SignInPage linkKind={linkKind} />;
  if (state.status === 'asking') return <Loading />;
  if (state.status === 'failed') {
    return (
      <main class="gate">
        <ErrorNotice title="Couldn’t load this page" text={state.text} onRetry={resume} />
      </main>
    );
  }
  if (state.status === 'signed-out') return <SignInPage needsSetup={state.needsSetup} />;
  const { workspace } = state;
  return (
    <WorkspaceContext.Provider key={workspace.me.peek().id} value={workspace}>
      {!(state.status === 'ended' && state.isDisabled) && <WorkspacePages />}
      {state.status === 'ended' && <SessionEnded me={workspace.me.peek()} isDisabled={state.isDisabled} />}
    </WorkspaceContext.Provider>
  );
}

/** Hides the pages of an ended session while its sign-in dialog loads. */
function Cover({ children }: { children: ComponentChildren }) {
  const cover = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const page = cover.current?.parentElement;
    page?.classList.add('is-covered');
    return () => {
      page?.classList.remove('is-covered');
      // The dialog returns the focus to the element that has it now.
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <main class="gate gate-over" ref={cover}>
      {children}
    </main>
  );
}
