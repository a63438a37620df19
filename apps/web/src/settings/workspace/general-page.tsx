import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { BotAvatarField } from '../own/bot-avatar-field.tsx';
import { PageHead } from '../page-head.tsx';
import { KeyRulesSection } from './key-rules-section.tsx';
import { NamingSection } from './naming-section.tsx';
import { ServerSection } from './server-section.tsx';
import { useSettings } from './use-settings.ts';

/** Settings of the whole workspace, and the status of its server. */
export function GeneralPage() {
  const { settings, load, change } = useSettings();
  return (
    <div class="settings-in is-own">
      <PageHead title="General" />
      {settings.status === 'loading' && <Loading />}
      {settings.status === 'failed' && <ErrorNotice text={settings.text} onRetry={load} />}
      {settings.status === 'ready' && (
        <>
          <NamingSection
            id="workspace-name"
            title="Workspace"
            label="Name"
            help="Shown in the sidebar, page titles and on the sign-in page."
            saved={settings.workspace.name}
            onSave={(name) => change({ name })}
          />
          <NamingSection
            id="bot-name"
            title="Bot"
            label="Bot name"
            help={`Shown with every post made with a key, including earlier ones: “${settings.workspace.botName} via nightly-backup”.`}
            saved={settings.workspace.botName}
            onSave={(botName) => change({ botName })}
          >
            <BotAvatarField name={settings.workspace.botName} />
          </NamingSection>
          <KeyRulesSection workspace={settings.workspace} onSave={change} />
        </>
      )}
      <ServerSection />
    </div>
  );
}
