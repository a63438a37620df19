import type { Workspace } from '@hub/contract';
import { useState } from 'preact/hooks';
import { Picks } from '../../../ui/forms/choices.tsx';
import { Section } from '../../../ui/forms/page-body.tsx';
import { Problem } from '../../../ui/forms/problem.tsx';
import { useSubmit } from '../../../ui/forms/use-submit.ts';

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
  });
  const allow = (longestKeyLifetimeDays: number | null) => {
    setTyped(null);
    choose({ ...chosen, longestKeyLifetimeDays });
  };
  const { longestKeyLifetimeDays: maxDays } = rules;
  const isOther = typed !== null || (maxDays !== null && !OFFERED_DAYS.includes(maxDays));
  return (
    <Section id="key-rules" title="API keys">
      <form onSubmit={submit} noValidate>
        <Picks
          legend="Who can manage keys"
          options={[
            { value: true, label: 'Hub members and admins' },
            { value: false, label: 'Admins only' },
          ]}
          chosen={rules.membersManageKeys}
          onChoose={(membersManageKeys) => choose({ ...chosen, membersManageKeys })}
        />
        <Picks<number | 'other' | null>
          legend="Maximum key lifetime"
          options={[
            { value: null, label: 'No limit' },
            ...OFFERED_DAYS.map((offered) => ({ value: offered, label: `${offered} days` })),
            { value: 'other', label: 'Other' },
          ]}
          chosen={isOther ? 'other' : maxDays}
          onChoose={(value) => (value === 'other' ? setTyped(String(maxDays ?? '')) : allow(value))}
          describedBy="lifetime-help lifetime-error"
        >
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
        </Picks>
        <button class="btn" type="submit" disabled={isSame} aria-disabled={isBusy}>
          Save<span class="sr"> key rules</span>
        </button>
      </form>
    </Section>
  );
}
