import type { DeviceLoginRequest } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem, TextField, useSubmit, useTask, useText } from '../../../ui/forms/form.tsx';
import { PageBody, ProfileFact, Section } from '../../../ui/forms/page-body.tsx';
import { When } from '../../../ui/items/when.tsx';

type Step =
  | { step: 'code' }
  | { step: 'decide'; userCode: string; login: DeviceLoginRequest }
  | { step: 'done'; text: string };

/** Lets the user confirm a program that shows a code, such as `hubctl login` (RFC 8628). No link can fill the code in. */
export function DevicePage() {
  const [step, setStep] = useState<Step>({ step: 'code' });
  return (
    <PageBody
      title="Log in a device"
      about="Enter the code that hubctl shows on your device. Never enter a code that someone sent you."
      variant="is-own"
    >
      {step.step === 'code' && <CodeForm onFound={(found) => setStep({ step: 'decide', ...found })} />}
      {step.step === 'decide' && <Decision {...step} onDone={(text) => setStep({ step: 'done', text })} />}
      {step.step === 'done' && (
        <p role="status" tabIndex={-1} ref={focus}>
          {step.text} <a href="/settings/tokens">Your access tokens</a>
        </p>
      )}
    </PageBody>
  );
}

const focus = (element: HTMLElement | null) => element?.focus();
/** A stray key press must not let anyone in. */
const focusLast = (box: HTMLElement | null) => focus((box?.lastElementChild ?? null) as HTMLElement | null);

function CodeForm({ onFound }: { onFound: (found: { userCode: string; login: DeviceLoginRequest }) => void }) {
  const code = useText();
  const { submit, isBusy, error } = useSubmit(async () => {
    const userCode = code.value;
    if (userCode.replace(/[^a-z]/gi, '').length !== 8) throw new Error('A code has eight letters, such as BCDF-GHJK.');
    onFound({ userCode, login: await request('POST /device-logins/inspection', { body: { userCode } }) });
  });
  return (
    <Section id="device-code" title="Code">
      <form onSubmit={submit} noValidate>
        <TextField
          label="Code from your device"
          autofocus
          placeholder="BCDF-GHJK"
          spellcheck={false}
          error={error}
          {...code}
        />
        <Button variant="is-main" type="submit" label="Continue" aria-disabled={isBusy} />
      </form>
    </Section>
  );
}

/** Shows what the program is and what it may do, so that the user notices a stranger's. */
function Decision(props: { userCode: string; login: DeviceLoginRequest; onDone: (text: string) => void }) {
  const {
    userCode,
    login: { name, address, isSameNetwork, createdAt },
    onDone,
  } = props;
  const { me } = useWorkspace();
  const { run, isBusy, error } = useTask();
  const decide = (isApproved: boolean) =>
    run(async () => {
      await request('POST /device-logins/decision', { body: { userCode, isApproved } });
      onDone(isApproved ? `${name} is logged in. You can close this page.` : `${name} was not let in.`);
    });
  return (
    <Section id="device-decision" title={`Log in “${name}”?`}>
      <div class={isSameNetwork ? 'banner' : 'banner is-warn'}>
        <span>
          {!isSameNetwork && 'This device is in another network than yours. '}
          Continue only if you started this login yourself just now. Otherwise, someone may be trying to get into your
          account.
        </span>
      </div>
      <dl class="profile-facts">
        <ProfileFact name="Device">{name}</ProfileFact>
        <ProfileFact name="Address" help={isSameNetwork ? 'Your network' : 'Another network than yours'}>
          {address}
        </ProfileFact>
        <ProfileFact name="Started">
          <When at={createdAt} />
        </ProfileFact>
        <ProfileFact
          name="Access"
          help="For a year, or until you revoke it. It can’t change your password, or manage your sessions and tokens."
        >
          Reads, writes and manages everything that you can, as {me.value.name}
        </ProfileFact>
      </dl>
      <div class="actions" ref={focusLast}>
        <Button variant="is-main" label="Log in device" aria-disabled={isBusy} onClick={() => void decide(true)} />
        <Button label="It wasn’t me" aria-disabled={isBusy} onClick={() => void decide(false)} />
      </div>
      <Problem text={error} />
    </Section>
  );
}
