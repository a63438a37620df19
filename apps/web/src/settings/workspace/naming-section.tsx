import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { toast } from '../../ui/toast.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';

interface NamingSectionProps {
  id: string;
  title: string;
  label: string;
  help: string;
  /** The saved name. */
  saved: string;
  onSave: (name: string) => Promise<void>;
  /** Other fields of the section, above the name. */
  children?: ComponentChildren;
}

/** A section to edit one name. Shows changes made by others unless the user is editing the field. */
export function NamingSection({ id, title, label, help, saved, onSave, children }: NamingSectionProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? saved;
  const { submit, isBusy, error } = useSubmit(async () => {
    if (name.trim() === '') throw new Error('Enter a name.');
    await onSave(name.trim());
    setTyped(null);
    toast('Saved.');
  });
  return (
    <section class="settings-section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      <form onSubmit={submit} noValidate>
        <div class="field">
          <label for={id}>{label}</label>
          <input
            id={id}
            autocomplete="off"
            maxLength={64}
            value={name}
            aria-invalid={error !== ''}
            aria-describedby={`${id}-help ${id}-error`}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <p class="help" id={`${id}-help`}>
            {help}
          </p>
          <Problem id={`${id}-error`} text={error} />
        </div>
        <button class="btn" type="submit" disabled={name.trim() === saved} aria-disabled={isBusy}>
          Save<span class="sr"> {label.toLowerCase()}</span>
        </button>
      </form>
    </section>
  );
}
