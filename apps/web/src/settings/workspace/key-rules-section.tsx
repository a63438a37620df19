import type { Workspace } from '@hub/contract';
import { useState } from 'preact/hooks';
import { toast } from '../../ui/toast.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';
import type { ChangeSettings } from './use-settings.ts';

type Rules = Pick<Workspace, 'membersManageKeys' | 'longestKeyLifetimeDays'>;

const OFFERED_DAYS = [30, 90, 365];
const MAX_DAYS = 36_500;

interface KeyRulesSectionProps {
  workspace: Workspace;
  onSave: ChangeSettings;
}

/** Who may manage keys, and how long new ones last at most. */
export function KeyRulesSection({ workspace, onSave }: KeyRulesSectionProps) {
  const [chosen, choose] = useState<Partial<Rules>>({});
  /** In days, as it is typed; `null` while one of the offered spans is chosen. */
  const [typed, setTyped] = useState<string | null>(null);
  const saved: Rules = workspace;
  const rules: Rules = { ...saved, ...chosen };
  const days = typed === null ? rules.longestKeyLifetimeDays : Number(typed);
  const isSame = rules.membersManageKeys === saved.membersManageKeys && days === saved.longestKeyLifetimeDays;
  const { submit, isBusy, error } = useSubmit(async () => {
    if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
      throw new Error(`Type a whole number of days, from 1 to ${MAX_DAYS}.`);
    await onSave({ membersManageKeys: rules.membersManageKeys, longestKeyLifetimeDays: days });
    choose({});
    setTyped(null);
    toast('Saved.');
  });
  const allow = (longestKeyLifetimeDays: number | null) => {
    setTyped(null);
    choose({ ...chosen, longestKeyLifetimeDays });
  };
  const { longestKeyLifetimeDays: longest } = rules;
  const isOther = typed !== null || (longest !== null && !OFFERED_DAYS.includes(longest));
  return (
    <section class="settings-section" aria-labelledby="key-rules">
      <h2 id="key-rules">API keys</h2>
      <form onSubmit={submit} noValidate>
        <fieldset class="field picks">
          <legend class="label">Who may manage keys</legend>
          <div class="picks-row">
            <Pick
              group="managers"
              label="Members of the Hub, and admins"
              isOn={rules.membersManageKeys}
              onPick={() => choose({ ...chosen, membersManageKeys: true })}
            />
            <Pick
              group="managers"
              label="Admins alone"
              isOn={!rules.membersManageKeys}
              onPick={() => choose({ ...chosen, membersManageKeys: false })}
            />
          </div>
        </fieldset>
        <fieldset class="field picks" aria-describedby="longest-help longest-error">
          <legend class="label">Longest lifetime of a key</legend>
          <div class="picks-row">
            <Pick group="longest" label="No limit" isOn={longest === null && !isOther} onPick={() => allow(null)} />
            {OFFERED_DAYS.map((offered) => (
              <Pick
                key={offered}
                group="longest"
                label={`${offered} days`}
                isOn={longest === offered && !isOther}
                onPick={() => allow(offered)}
              />
            ))}
            <Pick group="longest" label="Other" isOn={isOther} onPick={() => setTyped(String(longest ?? ''))} />
          </div>
          {isOther && (
            <label class="days">
              <input
                type="number"
                inputMode="numeric"
                min={1}
                max={MAX_DAYS}
                value={typed ?? String(longest)}
                aria-invalid={error !== ''}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />{' '}
              days
            </label>
          )}
          <p class="help" id="longest-help">
            For keys that are issued, rotated or replaced from now on. Those that there are go on, and the list of keys
            flags them.
          </p>
          <Problem id="longest-error" text={error} />
        </fieldset>
        <button class="btn" type="submit" disabled={isSame} aria-disabled={isBusy}>
          Save<span class="sr"> the rules for keys</span>
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
