import { WorkspaceContext } from './data/live/workspace.ts';
import { resume, session } from './data/session/session.ts';
import { WorkspacePages } from './pages/frame/workspace-pages.tsx';
import { SessionExpired } from './pages/sign-in/session-expired.tsx';
import { SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { ErrorNotice } from './ui/page/error-notice.tsx';
import { Loading } from './ui/page/loading.tsx';

/** The app: the sign-in page, or the workspace. */
export function App() {
  const state = session.value;
  if (state.status === 'asking') return <Loading />;
  if (state.status === 'failed') {
    return (
      <main class="main">
        <ErrorNotice title="Can't reach the server" text={state.text} onRetry={resume} />
      </main>
    );
  }
  if (state.status === 'signed-out') return <SignInPage needsSetup={state.needsSetup} />;
  const { workspace } = state;
  return (
    <WorkspaceContext.Provider key={workspace.me.peek().id} value={workspace}>
      {!(state.status === 'ended' && state.isDisabled) && <WorkspacePages />}
      {state.status === 'ended' && <SessionExpired me={workspace.me.peek()} isDisabled={state.isDisabled} />}
    </WorkspaceContext.Provider>
  );
}
