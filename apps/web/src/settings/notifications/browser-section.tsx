import type { NotificationSettings, SentTestNotification } from '@hub/contract';
import { useState } from 'preact/hooks';
import { errorMessage, request } from '../../api/request.ts';
import { browserChoice, chooseForBrowser } from '../../notifications/browser-choice.ts';
import { canBePushedTo, subscribe, unsubscribe } from '../../notifications/push.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Problem } from '../problem.tsx';
import { Switch } from './switch.tsx';
import { sentText, whyNot, whyNotPushed } from './why-not.ts';

/** Whether this browser shows notices, and what is in the way. It is asked for its leave by a press, and never by itself. */
export function BrowserSection({ settings }: { settings: NotificationSettings }) {
  const { me } = useWorkspace();
  const personId = me.value.id;
  const [failure, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const choice = browserChoice(personId);
  const obstacle = whyNot(stateOfBrowser());
  const pushObstacle = whyNotPushed({ isPushOn: settings.push !== null, canBePushedTo: canBePushedTo() });
  const isOn = choice !== null && obstacle === null && globalThis.Notification?.permission === 'granted';

  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setError('');
    await work().catch((error: unknown) => setError(errorMessage(error)));
    setBusy(false);
  };
  const switchNotifications = (asked: boolean) =>
    run(async () => {
      if (!asked) {
        if (choice?.isPushed) await unsubscribe();
        return chooseForBrowser(null);
      }
      if ((await Notification.requestPermission()) !== 'granted') {
        return setError('The browser was not given leave to show notices. Switch it on again to be asked once more.');
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
      toast(sentText(await request<SentTestNotification>('POST', '/me/notices/test')));
    });

  return (
    <section class="settings-section" aria-labelledby="notifications-browser">
      <h2 id="notifications-browser">In this browser</h2>
      {obstacle !== null && <p class="banner is-warn">{obstacle}</p>}
      <Switch
        label="Show notices"
        help="While a page of the Hub is open and you look elsewhere."
        isOn={isOn}
        isDisabled={isBusy || obstacle !== null}
        onChange={switchNotifications}
      />
      <Switch
        label="Also when no page is open"
        help={
          (obstacle && 'Once notices can be shown here.') ??
          pushObstacle ??
          'By the push service of your browser’s maker, which cannot read them.'
        }
        isOn={isOn && choice.isPushed}
        isDisabled={isBusy || !isOn || pushObstacle !== null}
        onChange={switchPush}
      />
      <Problem id="notifications-error" text={failure} />
      <p class="actions">
        <button class="btn" type="button" disabled={isBusy || !isOn} onClick={() => void test()}>
          Send a test notice
        </button>
      </p>
    </section>
  );
}

function stateOfBrowser() {
  return {
    isSecure: isSecureContext,
    host: location.host,
    permission: globalThis.Notification?.permission ?? null,
    isPhoneOfApple: /iPhone|iPad/.test(navigator.userAgent),
  };
}
