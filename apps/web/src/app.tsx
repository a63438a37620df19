import { Loading } from './frame/loading.tsx';
import { Trouble } from './frame/trouble.tsx';
import { WorkspacePages } from './frame/workspace-pages.tsx';
import { resume, session } from './session/session.ts';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { WorkspaceContext } from './workspace/workspace.ts';

/** What is shown: the way in, or the workspace. */
export function App() {
  const state = session.value;
  if (state.status === 'asking') return <Loading />;
  if (state.status === 'failed') return <Trouble words={state.words} onAgain={resume} />;
  if (state.status === 'signed-out') return <SignInPage />;
  return (
    <WorkspaceContext.Provider value={state.workspace}>
      <WorkspacePages />
    </WorkspaceContext.Provider>
  );
}
