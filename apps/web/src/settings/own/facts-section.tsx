import type { Role } from '@hub/contract';
import type { ComponentChildren } from 'preact';
import { dayAndYear } from '../../time/format.ts';
import { now } from '../../time/now.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { zoneText } from './time-text.ts';

const ROLES: Record<Role, string> = {
  owner: 'Owner: you manage the workspace and other owners',
  admin: 'Admin: you manage the workspace',
  member: 'Member',
};

/** Account details that the user cannot change here, and the browser's time zone. */
export function FactsSection() {
  const { email, role, createdAt } = useWorkspace().me.value;
  return (
    <section class="settings-section" aria-labelledby="own-facts">
      <h2 id="own-facts">Your account</h2>
      <dl class="profile-facts">
        <Fact name="E-mail" help="Used to sign in.">
          {email}
        </Fact>
        <Fact name="Role" help={role === 'owner' ? 'Another owner can change it.' : 'An admin can change it.'}>
          {ROLES[role]}
        </Fact>
        <Fact name="Member since">{dayAndYear(createdAt)}</Fact>
        <Fact name="Time zone" help="From this device. A due date without a time means the end of that day here.">
          {zoneText(now.value)}
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, help, children }: { name: string; help?: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {help !== undefined && <span class="help">{help}</span>}
      </dd>
    </div>
  );
}
