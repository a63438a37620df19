import type { Workspace } from '@hub/contract';
import { useState } from 'preact/hooks';
import { toast } from '../../ui/toast.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';

type Rules = Pick<Workspace, 'membersManageKeys' | 'longestKeyLifetimeDays'>;

const OFFERED_DAYS = [30, 90, 365];
const MAX_DAYS = 36_500;

interface KeyRulesSectionProps {
  workspace: Workspace;
  onSave: (changes: Rules) => Promise<void>;
}

/** Sets who can manage keys, and the maximum lifetime of new keys. */
export function KeyRulesSection({ workspace, onSave }: KeyRulesSectionProps) {
  const [chosen, choose] = useState<Partial<Rules>>({});
  /** A custom number of days as typed; `null` while an offered lifetime is chosen. */
  const [typed, setTyped] = useState<string | null>(null);
  const saved: Rules = workspace;
  const rules: Rules = { ...saved, ...chosen };
  const days = typed === null ? rules.longestKeyLifetimeDays : Number(typed);
  const isSame = rules.membersManageKeys === saved.membersManageKeys && days === saved.longestKeyLifetimeDays;
  const { submit, isBusy, error } = useSubmit(async () => {
    if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
      throw new Error(`Enter a whole number of days from 1 to ${MAX_DAYS}.`);
    await onSave({ membersManageKeys: rules.membersManageKeys, longestKeyLifetimeDays: days });
    choose({});
    setTyped(null);
    toast('Saved.');
  });
  const allow = (longestKeyLifetimeDays: number | null) => {
    setTyped(null);
    choose({ ...chosen, longestKeyLifetimeDays });
  };
  const { longestKeyLifetimeDays: maxDays } = rules;
  const isOther = typed !== null || (maxDays !== null && !OFFERED_DAYS.includes(maxDays));
  return (
    <section class="settings-section" aria-labelledby="key-rules">
      <h2 id="key-rules">API keys</h2>
      <form onSubmit={submit} noValidate>
        <fieldset class="field picks">
          <legend class="label">Who can manage keys</legend>
          <div class="picks-row">
            <Pick
              group="managers"
              label="Hub members and admins"
              isOn={rules.membersManageKeys}
              onPick={() => choose({ ...chosen, membersManageKeys: true })}
            />
            <Pick
              group="managers"
              label="Admins only"
              isOn={!rules.membersManageKeys}
              onPick={() => choose({ ...chosen, membersManageKeys: false })}
            />
          </div>
        </fieldset>
        <fieldset class="field picks" aria-describedby="lifetime-help lifetime-error">
          <legend class="label">Maximum key lifetime</legend>
          <div class="picks-row">
            <Pick group="lifetime" label="No limit" isOn={maxDays === null && !isOther} onPick={() => allow(null)} />
            {OFFERED_DAYS.map((offered) => (
              <Pick
                key={offered}
                group="lifetime"
                label={`${offered} days`}
                isOn={maxDays === offered && !isOther}
                onPick={() => allow(offered)}
              />
            ))}
            <Pick group="lifetime" label="Other" isOn={isOther} onPick={() => setTyped(String(maxDays ?? ''))} />
          </div>
          {isOther && (
            <label class="days">
              <input
                type="number"
                inputMode="numeric"
                min={1}
                max={MAX_DAYS}
                value={typed ?? String(maxDays)}
                aria-invalid={error !== ''}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />{' '}
              days
            </label>
          )}
          <p class="help" id="lifetime-help">
            Applies to keys issued, rotated or replaced from now on. Existing keys keep working and are flagged.
          </p>
          <Problem id="lifetime-error" text={error} />
        </fieldset>
        <button class="btn" type="submit" disabled={isSame} aria-disabled={isBusy}>
          Save<span class="sr"> key rules</span>
        </button>
      </form>
    </section>
  );
}

interface PickProps {
  group: string;
  label: string;
  isOn: boolean;
  onPick: () => void;
}

function Pick({ group, label, isOn, onPick }: PickProps) {
  return (
    <label class="pick">
      <input type="radio" name={group} checked={isOn} onChange={onPick} />
      {label}
    </label>
  );
}
