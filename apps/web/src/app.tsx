import { ErrorNotice } from './frame/error-notice.tsx';
import { Loading } from './frame/loading.tsx';
import { WorkspacePages } from './frame/workspace-pages.tsx';
import { resume, session } from './session/session.ts';
import { SessionExpired } from './sign-in/session-expired.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { WorkspaceContext } from './workspace/workspace.ts';

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
