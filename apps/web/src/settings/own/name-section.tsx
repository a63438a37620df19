import { useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';
import { OwnAvatarField } from './own-avatar-field.tsx';

/** The avatar and display name of the user. */
export function NameSection() {
  const { me, items } = useWorkspace();
  const [name, setName] = useState(me.value.name);
  const { submit, isBusy, error } = useSubmit(async () => {
    if (name.trim() === '') throw new Error('Enter your name.');
    me.value = await request('PATCH /me', { body: { name: name.trim() } });
    items.rename({ id: me.value.id, name: me.value.name });
    toast('Name saved.');
  });
  const isSame = name.trim() === me.value.name;
  return (
    <section class="settings-section" aria-labelledby="own-name">
      <h2 id="own-name">Profile</h2>
      <OwnAvatarField />
      <form onSubmit={submit} noValidate>
        <div class="field">
          <label for="name">Name</label>
          <input
            id="name"
            autocomplete="name"
            value={name}
            aria-invalid={error !== ''}
            aria-describedby="name-help name-error"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <p class="help" id="name-help">
            Shown to others and used to mention you.
          </p>
          <Problem id="name-error" text={error} />
        </div>
        <button class="btn" type="submit" disabled={isSame} aria-disabled={isBusy}>
          Save name
        </button>
      </form>
    </section>
  );
}
