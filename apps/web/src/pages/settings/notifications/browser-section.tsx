import type { NotificationSettings } from '@hub/contract';
import { useWorkspace } from '../../../data/live/workspace.ts';
import {
  browserChoice,
  chooseForBrowser,
  subscribe,
  supportsPush,
  unsubscribe,
} from '../../../data/notifications/browser.ts';
import { request } from '../../../data/request.ts';
import { Switch } from '../../../ui/forms/choices.tsx';
import { Section } from '../../../ui/forms/page-body.tsx';
import { Problem } from '../../../ui/forms/problem.tsx';
import { useTask } from '../../../ui/forms/use-submit.ts';
import { toast } from '../../../ui/toast.tsx';
import { obstacleOf, pushObstacleOf, sentText } from './obstacles.ts';

/** Notification settings of this browser. The browser asks for permission only after a click. */
export function BrowserSection({ settings }: { settings: NotificationSettings }) {
  const { me } = useWorkspace();
  const personId = me.value.id;
  const { run, isBusy, error } = useTask();
  const choice = browserChoice(personId);
  const obstacle = obstacleOf(stateOfBrowser());
  const pushObstacle = pushObstacleOf({ isPushOn: settings.push !== null, supportsPush: supportsPush() });
  const isOn = choice !== null && obstacle === null && globalThis.Notification?.permission === 'granted';

  const switchNotifications = (asked: boolean) =>
    run(async () => {
      if (!asked) {
        if (choice?.isPushed) await unsubscribe();
        return chooseForBrowser(null);
      }
      if ((await Notification.requestPermission()) !== 'granted') {
        throw new Error('Notifications weren’t allowed. Turn them on again, and your browser will ask again.');
      }
      chooseForBrowser({ personId, isPushed: false });
    });
  const switchPush = (asked: boolean) =>
    run(async () => {
      await (asked ? subscribe() : unsubscribe());
      chooseForBrowser({ personId, isPushed: asked });
    });
  const test = () =>
    run(async () => {
      toast(sentText(await request('POST /me/notices/test')));
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
      <Problem id="notifications-error" text={error} />
      <p class="actions">
        <button class="btn" type="button" disabled={isBusy || !isOn} onClick={() => void test()}>
          Send test notification
        </button>
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
