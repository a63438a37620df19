import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { BotAvatarField } from '../own/bot-avatar-field.tsx';
import { PageHead } from '../page-head.tsx';
import { KeyRulesSection } from './key-rules-section.tsx';
import { NamingSection } from './naming-section.tsx';
import { ServerSection } from './server-section.tsx';
import { useSettings } from './use-settings.ts';

/** What holds for the whole workspace, and how its server does. */
export function GeneralPage() {
  const { settings, load, change } = useSettings();
  return (
    <div class="settings-in is-own">
      <PageHead title="General" />
      {settings.status === 'loading' && <Loading />}
      {settings.status === 'failed' && <ErrorNotice text={settings.text} onAgain={load} />}
      {settings.status === 'ready' && (
        <>
          <NamingSection
            id="workspace-name"
            title="Workspace"
            label="Name"
            help="It stands above the list of Hubs, in the title of every page and at the sign-in."
            saved={settings.workspace.name}
            onSave={(name) => change({ name })}
          />
          <NamingSection
            id="bot-name"
            title="Bot"
            label="Name of the bot"
            help={`All that keys post stands under it, also what they have posted before: “${settings.workspace.botName} via nightly-backup”.`}
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
