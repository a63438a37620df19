import { render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWorkspace, type Workspace, WorkspaceContext } from '../../../data/live/workspace.ts';
import { signOut } from '../../../data/session/sign-out.ts';
import { navigate, whenArrived } from '../../../lib/router/location.ts';
import { dayAndYear } from '../../../lib/time/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { Mark } from '../../../ui/icons/mark.tsx';
import { toast } from '../../../ui/toast.tsx';
import { FactorsSection } from './factors-section.tsx';

/** Reminds a user of the second factor that the workspace asks for, and lets them do nothing else once it is overdue. */
export function showFactorDue(workspace: Workspace): void {
  const { secondFactor } = workspace.me.peek();
  if (!secondFactor) return;
  if (!secondFactor.isOverdue) {
    const action = { label: 'Set it up', run: () => navigate('/settings/profile') };
    toast(`Your workspace asks for a second factor by ${dayAndYear(secondFactor.dueAt)}.`, { action });
    return;
  }
  const host = document.body.appendChild(document.createElement('div'));
  render(
    <WorkspaceContext.Provider value={workspace}>
      <Overdue />
    </WorkspaceContext.Provider>,
    host,
  );
}

/** A dialog that has just closed may still go back in the history, which would cancel a reload. */
const reloadSoon = () => setTimeout(() => whenArrived(() => location.reload()), 100);

/** Covers all pages until a factor was added and its recovery codes were seen. */
function Overdue() {
  const { me } = useWorkspace();
  const dialog = useRef<HTMLDialogElement>(null);
  const isDone = me.value.secondFactor === undefined;
  useLayoutEffect(() => {
    document.querySelector('#app')?.classList.add('is-covered');
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      class="gate gate-over"
      ref={dialog}
      aria-labelledby="factor-due"
      onCancel={(event) => event.preventDefault()}
    >
      <div class="gate-card">
        <Mark />
        <h1 class="gate-title" id="factor-due" tabIndex={-1} autofocus>
          Set up a second factor
        </h1>
        <FactorsSection />
        {isDone ? (
          <Button variant="is-main is-wide" label="Continue" autofocus onClick={reloadSoon} />
        ) : (
          <p class="foot">
            <Button variant="is-bare is-small" label="Sign out" onClick={() => void signOut()} />
          </p>
        )}
      </div>
    </dialog>
  );
}
