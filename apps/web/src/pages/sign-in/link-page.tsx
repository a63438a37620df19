import type { LinkInfo, LinkKind, Me } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { LINK_PATHS } from '@hub/contract/link-paths';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, errorMessage, type Input, request } from '../../data/request.ts';
import { ways } from '../../data/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/forms/choices.tsx';
import { Field, Problem, useTask } from '../../ui/forms/form.tsx';
import { PasswordInput } from '../../ui/forms/password.tsx';
import { shortPasswordProblem, textProblem } from '../../ui/forms/text-problem.ts';
import { useIsSlow } from '../../ui/page/load-states.tsx';
import { CodeField, Gate, ProviderLink } from './gate.tsx';
import { type FieldName, type LinkField, type LinkTexts, TEXTS } from './link-texts.tsx';

type Values = Readonly<Partial<Record<FieldName, string>>>;

/**
 * The page of a setup, invitation or reset link. The secret of the link follows the `#`, which browsers never send. It
 * stays in the URL until it is used, so that a reload loses nothing; after that, the history holds nothing usable.
 */
export function LinkPage({ kind }: { kind: LinkKind }) {
  const texts = TEXTS[kind];
  const [token] = useState(() => location.hash.slice(1));
  const [info, setInfo] = useState<LinkInfo | null>(null);
  const [other, setOther] = useState<Me | null>(null);
  const [end, setEnd] = useState(
    token === ''
      ? { title: 'Incomplete link', text: 'Open the full link you were sent, including the part after the #.' }
      : null,
  );
  const { run, isBusy, error } = useTask();
  const showEnd = (text: string) => setEnd({ title: 'This link doesn’t work', text });
  const inspect = () =>
    run(async () => {
      try {
        const [inspected, session] = await Promise.all([
          request('POST /links/inspection', { body: { token } }),
          request('GET /session'),
        ]);
        ways.value = session;
        setOther(session.me?.email === inspected.email ? null : session.me);
        // The secret belongs to another kind of page: the link was edited by hand.
        if (inspected.kind !== kind) location.replace(`${LINK_PATHS[inspected.kind]}#${token}`);
        else setInfo(inspected);
      } catch (failure) {
        if (!isUnknown(failure)) throw failure;
        showEnd(failure.message);
      }
    });
  useEffect(() => {
    // Another link was pasted into the address bar of this page.
    const reload = () => location.reload();
    addEventListener('hashchange', reload);
    if (token !== '') void inspect();
    return () => removeEventListener('hashchange', reload);
  }, []);
  const title = end?.title ?? (info && kind === 'invitation' ? `Join ${info.workspaceName}` : texts.title);
  useEffect(() => {
    document.title = `${title} · ${end === null && info ? info.workspaceName : 'Hub'}`;
    if (end) document.querySelector<HTMLElement>('.gate h1')?.focus();
  }, [title]);
  return (
    <Gate title={title}>
      <p>{end?.text ?? texts.description}</p>
      {end ? (
        <p>{texts.wayOut}</p>
      ) : info ? (
        <LinkForm
          texts={texts}
          info={info}
          token={token}
          other={kind === 'email_change' ? null : other}
          onEnd={showEnd}
        />
      ) : (
        <>
          <Problem text={error} />
          {isBusy || error === '' ? <Checking /> : <Button variant="is-main" label="Try again" onClick={inspect} />}
        </>
      )}
    </Gate>
  );
}

function Checking() {
  return <p role="status">{useIsSlow() && 'Checking the link…'}</p>;
}

/** Returns whether the link is unknown, used or expired, so that a retry would not help. */
function isUnknown(failure: unknown): failure is ApiError {
  return failure instanceof ApiError && failure.statusCode === 404;
}

interface LinkFormProps {
  texts: LinkTexts;
  info: LinkInfo;
  token: string;
  other: Me | null;
  onEnd: (text: string) => void;
}

/** The form that uses the link. Each field shows its own error. */
function LinkForm({ texts: { title, fields, submitLabel }, info, token, other, onEnd }: LinkFormProps) {
  const { kind, email, expiresAt } = info;
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Values>(email === null ? {} : { email });
  const [errors, setErrors] = useState<Values>({});
  const [revokeTokens, setRevokeTokens] = useState(true);
  const { run, isBusy, error } = useTask();
  const [asksForCode, setAsksForCode] = useState(false);
  useEffect(() => form.current?.querySelector<HTMLElement>('input:not([readonly])')?.focus(), []);
  const showErrors = (found: Values) => {
    setErrors(found);
    const [first] = Object.keys(found);
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  const redeem = () =>
    run(async () => {
      const trimmed = fields.flatMap(({ name }) => {
        const value = name === 'password' ? values[name] : values[name]?.trim();
        // The server knows the e-mail address of an existing or invited account.
        return value && (name !== 'email' || email === null) ? [[name, value]] : [];
      });
      const code = form.current?.querySelector<HTMLInputElement>('#code')?.value;
      const reset = kind === 'password_reset' && { revokeTokens, ...(code && { code }) };
      const body = { token, ...Object.fromEntries(trimmed), ...reset };
      try {
        if (kind === 'email_change') await request('POST /links/email-confirmation', { body: { token } });
        else await request('POST /links/redemption', { body } as Input<'POST /links/redemption'>);
      } catch (failure) {
        if (isUnknown(failure)) return onEnd(failure.message);
        const status = failure instanceof ApiError ? failure.statusCode : 0;
        if (status === 403 && kind === 'password_reset' && !asksForCode) return setAsksForCode(true);
        if (status === 401) throw new Error((failure as ApiError).message);
        const message = errorMessage(failure);
        if (message.startsWith('The name “')) return showErrors({ name: message });
        const named = fields.find(({ name }) => message.startsWith(`${name} `) && (name !== 'email' || email === null));
        if (!named) throw failure;
        return showErrors({ [named.name]: `${named.label} ${message.slice(named.name.length + 1)}` });
      }
      // Redeeming the link has signed the user in. The app loads again, and the form stays busy until then.
      history.replaceState(null, '', location.pathname);
      // A link that confirms an address signs nobody in.
      location.replace(kind === 'email_change' && !other ? '/?sign-in=email-changed' : `/?welcome=${kind}`);
      await new Promise(() => {});
    });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = fields.flatMap((field) => {
      const problem = problemOf(field, values[field.name] ?? '');
      return problem === '' ? [] : [[field.name, problem]];
    });
    if (found.length > 0) showErrors(Object.fromEntries(found));
    else void redeem();
  };
  const change = (field: LinkField, value: string) => {
    setValues((all) => ({ ...all, [field.name]: value }));
    // While the user types, a fixed error disappears; a new one is shown only on submit.
    if (errors[field.name]) setErrors((all) => ({ ...all, [field.name]: problemOf(field, value) }));
  };
  if (kind === 'invitation' && ways.value?.provider?.isOnly) return <ProviderLink verb="Join" />;
  return (
    <form ref={form} aria-label={title} aria-busy={isBusy} noValidate onSubmit={submit}>
      {other && (
        <p class="banner is-warn">
          You’re signed in as {other.name} in this browser. This link is for {email ?? 'a new account'}, and signs{' '}
          {other.name} out here.
        </p>
      )}
      {kind === 'invitation' && <ProviderLink verb="Join" />}
      {fields.map((field) => {
        const { name, label, missing, maxLength: _, ...attributes } = field;
        const value = values[name] ?? '';
        const help = name === 'password' ? `At least ${LIMITS.passwordMinCodePoints} characters.` : undefined;
        return (
          <Field
            key={name}
            id={name}
            label={missing === undefined ? `${label} (optional)` : label}
            error={errors[name]}
            {...(help !== undefined && !errors[name] && { help })}
          >
            {(aria) =>
              name === 'password' ? (
                <PasswordInput
                  {...aria}
                  name={name}
                  autocomplete="new-password"
                  value={value}
                  onValue={(typed) => change(field, typed)}
                />
              ) : (
                <input
                  autocomplete="off"
                  {...attributes}
                  {...aria}
                  {...(name === 'email' ? ({ type: 'email' } as const) : ({ type: 'text' } as const))}
                  name={name}
                  required={missing !== undefined}
                  readOnly={name === 'email' && email !== null}
                  value={value}
                  onInput={({ currentTarget }) => change(field, currentTarget.value)}
                />
              )
            }
          </Field>
        );
      })}
      {kind === 'password_reset' && (
        <Checkbox isOn={revokeTokens} onChange={setRevokeTokens}>
          Also revoke all access tokens; programs using them get 401
        </Checkbox>
      )}
      {asksForCode && <CodeField isWrong={error !== ''} />}
      <Problem id="sign-in-error" text={error} />
      <Button variant="is-main is-wide" label={submitLabel} type="submit" aria-disabled={isBusy} />
      {kind !== 'setup' && (
        <p class="foot">
          This link can be used once{expiresAt !== null && ` and expires on ${expiryText(expiresAt)}`}.
        </p>
      )}
    </form>
  );
}

/** Returns why the server would reject a value; empty if it would not. */
function problemOf({ name, label, missing, maxLength }: LinkField, value: string): string {
  const isPassword = name === 'password';
  if ((isPassword ? value : value.trim()) === '') return missing ?? '';
  const problem = isPassword ? shortPasswordProblem(value) : '';
  return problem || textProblem(label, value, { maxLength, type: name === 'email' ? 'email' : undefined });
}

const expiryText = (expiresAt: string): string =>
  new Date(expiresAt).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
