import type {
  ChangeNotificationsBody,
  Hub,
  NotificationKey,
  NotificationMode,
  NotificationSettings,
} from '@hub/contract';
import { Plus } from 'icons';
import { useState } from 'preact/hooks';
import { useResource, useWorkspace } from '../../../data/live/workspace.ts';
import {
  browserChoice,
  chooseForBrowser,
  subscribe,
  supportsPush,
  unsubscribe,
} from '../../../data/notifications/browser.ts';
import { request } from '../../../data/request.ts';
import { withName } from '../../../lib/matching.ts';
import { byName } from '../../../lib/names.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { FindField, Switch } from '../../../ui/forms/choices.tsx';
import { Problem, useTask, useText } from '../../../ui/forms/form.tsx';
import { Loaded, PageBody, Section } from '../../../ui/forms/page-body.tsx';
import { ChoiceOpener } from '../../../ui/menu.tsx';
import { inTurn, setHubMode, setKeyMode } from '../../../ui/notification-modes.ts';
import { orToast, toast } from '../../../ui/toast.tsx';
import { ModeSelect, QuietSection, type SettingsProps } from './notification-settings.tsx';
import { obstacleOf, pushObstacleOf, sentText } from './notification-texts.ts';

/** The user's notification settings. All are stored on the server, except those for this browser. */
export function NotificationsPage() {
  const { state, reload, set } = useResource((signal) => request('GET /me/notifications', { signal }));
  return (
    <PageBody title="Notifications" about="Choose what you’re notified about when you’re away." variant="is-own">
      <Loaded state={state} onRetry={reload}>
        {(settings) => (
          <>
            <BrowserSection settings={settings} />
            <EventsSection settings={settings} onChange={set} />
            <QuietSection settings={settings} onChange={set} />
            <HubsSection settings={settings} onChange={set} />
            <KeysSection settings={settings} onChange={set} />
          </>
        )}
      </Loaded>
    </PageBody>
  );
}

/** Notification settings of this browser. The browser asks for permission only after a click. */
function BrowserSection({ settings }: { settings: NotificationSettings }) {
  const { me } = useWorkspace();
  const userId = me.value.id;
  const { run, isBusy, error } = useTask();
  const choice = browserChoice(userId);
  const obstacle = obstacleOf(stateOfBrowser());
  const pushObstacle = pushObstacleOf({ isPushOn: settings.push !== null, supportsPush: supportsPush() });
  const isOn = choice !== null && obstacle === null && globalThis.Notification?.permission === 'granted';

  const switchNotifications = (isOn: boolean) =>
    run(async () => {
      if (!isOn) {
        if (choice?.isPushed) await unsubscribe();
        return chooseForBrowser(null);
      }
      if ((await Notification.requestPermission()) !== 'granted') {
        throw new Error('Notifications weren’t allowed. Turn them on again, and your browser will ask again.');
      }
      chooseForBrowser({ userId, isPushed: false });
    });
  const switchPush = (isOn: boolean) =>
    run(async () => {
      await (isOn ? subscribe() : unsubscribe());
      chooseForBrowser({ userId, isPushed: isOn });
    });
  const test = () =>
    run(async () => {
      toast(sentText(await request('POST /me/notifications/test')));
    });

  return (
    <Section id="notifications-browser" title="In this browser">
      {obstacle !== null && <p class="banner is-warn">{obstacle}</p>}
      <Switch
        label="Show notifications"
        help="When Hub is open and you’re looking elsewhere."
        isOn={isOn}
        isDisabled={isBusy || obstacle !== null}
        onChange={switchNotifications}
      />
      <Switch
        label="Even when Hub is closed"
        help={
          (obstacle && 'Available once this browser can show notifications.') ??
          pushObstacle ??
          'Sent through your browser’s push service, which can’t read them.'
        }
        isOn={isOn && choice.isPushed}
        isDisabled={isBusy || !isOn || pushObstacle !== null}
        onChange={switchPush}
      />
      <Problem text={error} />
      <p class="actions">
        <Button label="Send test notification" disabled={isBusy || !isOn} onClick={() => void test()} />
      </p>
    </Section>
  );
}

function stateOfBrowser() {
  return {
    isSecure: isSecureContext,
    host: location.host,
    permission: globalThis.Notification?.permission ?? null,
    isAppleDevice: /iPhone|iPad/.test(navigator.userAgent),
  };
}

const EVENTS = [
  {
    event: 'mentions',
    label: 'Mentions',
    help: 'A member or program writes @ and your name, or a member writes @hub or @here.',
  },
  { event: 'assignments', label: 'Assigned to-dos', help: 'Another member assigns you a to-do.' },
  { event: 'replies', label: 'Replies', help: 'In threads you started or replied to.' },
] as const;

function EventsSection({ settings, onChange }: SettingsProps) {
  const change = async (body: ChangeNotificationsBody) => {
    const changed = await orToast('Couldn’t save.', () => inTurn(() => request('PATCH /me/notifications', { body })));
    if (changed) onChange(changed);
  };
  return (
    <Section id="notifications-events" title="Notify me about">
      {EVENTS.map(({ event, label, help }) => (
        <Switch
          key={event}
          label={label}
          help={help}
          isOn={settings[event]}
          onChange={(isOn) => void change({ [event]: isOn })}
        />
      ))}
      {settings.mentionMail !== null && (
        <Switch
          label="Unread mentions by e-mail"
          help="One mail when a mention stays unread for 30 minutes, without its text."
          isOn={settings.mentionMail}
          onChange={(mentionMail) => void change({ mentionMail })}
        />
      )}
    </Section>
  );
}

const MANY = 6;

function HubsSection({ settings, onChange }: SettingsProps) {
  const { hubs } = useWorkspace();
  const text = useText();
  const mine = hubs.mine.value;
  const matches = withName(mine, text.value);
  const modeOf = (hub: Hub): NotificationMode => settings.hubs.find(({ hubId }) => hubId === hub.id)?.mode ?? 'usual';
  const change = async (hub: Hub, mode: NotificationMode) => {
    const changed = await setHubMode(hubs, hub, mode);
    if (changed) onChange(changed);
  };
  return (
    <Section id="notifications-hubs" title="Hubs">
      <p class="help">A muted Hub sends no notifications and doesn’t count unread posts.</p>
      {(mine.length >= MANY || text.value !== '') && (
        <div class="filters">
          <FindField label="Find a Hub" {...text} />
        </div>
      )}
      <p class="sr" role="status">
        {text.value.trim() !== '' && `${matches.length} found`}
      </p>
      <ul class="mode-list">
        {matches.map((hub) => (
          <li key={hub.id}>
            <span class="ring" />
            <a class="grow" href={`/hubs/${hub.id}`}>
              {hub.name}
            </a>
            <ModeSelect
              label={`Notifications for ${hub.name}`}
              mode={modeOf(hub)}
              onChange={(mode) => void change(hub, mode)}
            />
          </li>
        ))}
      </ul>
      {matches.length === 0 && (
        <p class="help">{mine.length === 0 ? 'You’re not in any Hubs yet.' : 'No matching Hubs.'}</p>
      )}
    </Section>
  );
}

type KeyChoice = NotificationSettings['keys'][number];

function KeysSection({ settings, onChange }: SettingsProps) {
  const { hubs } = useWorkspace();
  const others = useOtherKeys(settings.keys);
  // A key reset to the default stays listed until the user leaves the page, so that a mistake is easy to undo.
  const [rows, setRows] = useState<readonly KeyChoice[]>(settings.keys.filter(({ isOver }) => !isOver));
  const change = async (key: Omit<KeyChoice, 'mode'>, mode: NotificationMode) => {
    const changed = await setKeyMode({ id: key.keyId, name: key.name }, mode);
    if (!changed) return;
    setRows([...rows.filter(({ keyId }) => keyId !== key.keyId), { ...key, mode }].toSorted(byName));
    onChange(changed);
  };
  return (
    <Section id="notifications-keys" title="Keys">
      <p class="help">Overrides the Hub’s setting for posts by one key, unless the Hub is muted.</p>
      <ul class="mode-list">
        {rows.map((key) => (
          <li key={key.keyId}>
            <Avatar id={key.keyId} name={key.name} kind="key" size="s" />
            <span class="grow">
              {key.name} <span class="help">{hubs.find(key.hubId)?.name}</span>
            </span>
            <ModeSelect
              label={`Notifications for ${key.name}`}
              mode={key.mode}
              onChange={(mode) => void change(key, mode)}
            />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <ChoiceOpener
          label="Choose a key"
          icon={<Plus />}
          all="Choose a key"
          chosen={null}
          items={() =>
            others.map((key) => ({
              label: `${key.name} in ${hubs.find(key.hubId)?.name ?? 'another Hub'}`,
              run: () => void change({ keyId: key.id, hubId: key.hubId, name: key.name, isOver: false }, 'every'),
            }))
          }
        />
      )}
    </Section>
  );
}

/** Returns the newest 100 keys with the default setting, for the menu. */
function useOtherKeys(rows: readonly KeyChoice[]): readonly NotificationKey[] {
  const load = (signal: AbortSignal) => request('GET /me/notifications/keys', { query: { limit: 100 }, signal });
  const keys = useResource(load).value?.items ?? [];
  return keys.filter(({ id }) => !rows.some(({ keyId }) => keyId === id)).toSorted(byName);
}
