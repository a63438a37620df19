import { LIMITS } from '@hub/contract/limits';
import { useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { Button } from '../../ui/button.tsx';
import { TextField, useSubmit } from '../../ui/forms/form.tsx';

/** Requests a reset link by e-mail, in place of the sign-in form. */
export function ForgottenPassword({ email: typed, onBack }: { email: string; onBack: () => void }) {
  const [email, setEmail] = useState(typed);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { submit, isBusy, error } = useSubmit(async () => {
    if (email.trim() === '') throw new Error('Enter your e-mail address.');
    setSentTo((await request('POST /password-resets', { body: { email } })).email);
  });
  return (
    <form aria-label="Forgot your password?" aria-busy={isBusy} noValidate onSubmit={submit}>
      <p role="status">
        {sentTo === null
          ? 'You get a link by e-mail to choose a new password.'
          : `If ${sentTo} has an account with a password, the link arrives in a moment. It is valid for 24 hours.`}
      </p>
      {sentTo === null && (
        <>
          <TextField
            label="E-mail"
            type="email"
            maxLength={LIMITS.emailCodePoints}
            autofocus
            value={email}
            error={error}
            onValue={setEmail}
          />
          <Button variant="is-main is-wide" label="Send link" type="submit" aria-disabled={isBusy} />
        </>
      )}
      <Button variant="is-wide" label="Back to sign-in" onClick={onBack} />
    </form>
  );
}
