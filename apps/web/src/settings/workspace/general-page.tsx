import type { ChangeWorkspaceBody, Workspace } from '@hub/contract';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { rememberWorkspace } from '../../session/known-workspace.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { BotAvatarField } from '../own/bot-avatar-field.tsx';
import { PageHead } from '../page-head.tsx';
import { KeyRulesSection } from './key-rules-section.tsx';
import { NamingSection } from './naming-section.tsx';
import { ServerSection } from './server-section.tsx';

/** Settings of the whole workspace, and the status of its server. */
export function GeneralPage() {
  const { state, reload, change } = useSettings();
  return (
    <div class="settings-in is-own">
      <PageHead title="General" />
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <ErrorNotice text={state.text} onRetry={reload} />}
      {state.status === 'ready' && (
        <>
          <NamingSection
            id="workspace-name"
            title="Workspace"
            label="Name"
            help="Shown in the sidebar, page titles and on the sign-in page."
            saved={state.value.name}
            onSave={(name) => change({ name })}
          />
          <NamingSection
            id="bot-name"
            title="Bot"
            label="Bot name"
            help={`Shown with every post made with a key, including earlier ones: “${state.value.botName} via nightly-backup”.`}
            saved={state.value.botName}
            onSave={(botName) => change({ botName })}
          >
            <BotAvatarField name={state.value.botName} />
          </NamingSection>
          <KeyRulesSection workspace={state.value} onSave={change} />
        </>
      )}
      <ServerSection />
    </div>
  );
}

/** Returns the settings of the workspace, updated when another admin changes them. */
function useSettings() {
  const { me } = useWorkspace();
  const noted = (workspace: Workspace) => {
    const { name } = workspace;
    if (me.peek().workspace.name !== name) {
      me.value = { ...me.peek(), workspace: { name } };
      rememberWorkspace(name);
    }
    return workspace;
  };
  const load = async (signal: AbortSignal) => noted(await request('GET /workspace', { signal }));
  const { state, reload, set } = useResource(load, { topics: ['workspace'] });
  const change = async (body: ChangeWorkspaceBody) => set(noted(await request('PATCH /workspace', { body })));
  return { state, reload, change };
}
