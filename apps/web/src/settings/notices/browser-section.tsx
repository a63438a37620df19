import type { NoticeSettings, SentTestNotice } from '@hub/contract';
import { useState } from 'preact/hooks';
import { request, wordsOf } from '../../api/request.ts';
import { browserChoice, chooseForBrowser } from '../../notices/browser-choice.ts';
import { canBePushedTo, subscribe, unsubscribe } from '../../notices/push.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Fault } from '../fault.tsx';
import { Switch } from './switch.tsx';
import { sentWords, whyNot, whyNotPushed } from './why-not.ts';

/** Whether this browser shows notices, and what is in the way. It is asked for its leave by a press, and never by itself. */
export function BrowserSection({ settings }: { settings: NoticeSettings }) {
  const { me } = useWorkspace();
  const personId = me.value.id;
  const [trouble, setTrouble] = useState('');
  const [isBusy, setBusy] = useState(false);
  const choice = browserChoice(personId);
  const obstacle = whyNot(stateOfBrowser());
  const pushObstacle = whyNotPushed({ isPushOn: settings.push !== null, canBePushedTo: canBePushedTo() });
  const isOn = choice !== null && obstacle === null && globalThis.Notification?.permission === 'granted';

  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setTrouble('');
    await work().catch((error: unknown) => setTrouble(wordsOf(error)));
    setBusy(false);
  };
  const switchNotices = (asked: boolean) =>
    run(async () => {
      if (!asked) {
        if (choice?.isPushed) await unsubscribe();
        return chooseForBrowser(null);
      }
      if ((await Notification.requestPermission()) !== 'granted') {
        return setTrouble('The browser was not given leave to show notices. Switch it on again to be asked once more.');
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
      toast(sentWords(await request<SentTestNotice>('POST', '/me/notices/test')));
    });

  return (
    <section class="own" aria-labelledby="notices-browser">
      <h2 id="notices-browser">In this browser</h2>
      {obstacle !== null && <p class="banner is-warn">{obstacle}</p>}
      <Switch
        label="Show notices"
        help="While a page of the Hub is open and you look elsewhere."
        isOn={isOn}
        isDisabled={isBusy || obstacle !== null}
        onChange={switchNotices}
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
      <Fault id="notices-fault" words={trouble} />
      <p class="acts">
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
