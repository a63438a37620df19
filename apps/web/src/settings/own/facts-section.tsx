import type { Role } from '@hub/contract';
import type { ComponentChildren } from 'preact';
import { dayAndYear } from '../../time/format.ts';
import { now } from '../../time/now.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { zoneText } from './time-text.ts';

const ROLES: Record<Role, string> = {
  owner: 'Owner: you manage the workspace, and make other owners',
  admin: 'Admin: you manage the workspace',
  member: 'Member',
};

/** What one is here, and how times are told: what others decide, or the browser. */
export function FactsSection() {
  const { email, role, createdAt } = useWorkspace().me.value;
  return (
    <section class="settings-section" aria-labelledby="own-facts">
      <h2 id="own-facts">Your account</h2>
      <dl class="profile-facts">
        <Fact name="E-mail" help="You sign in with it.">
          {email}
        </Fact>
        <Fact name="Role" help={role === 'owner' ? 'Another owner can change it.' : 'An admin can change it.'}>
          {ROLES[role]}
        </Fact>
        <Fact name="Member since">{dayAndYear(createdAt)}</Fact>
        <Fact name="Time zone" help="Of this device. A due date without a time counts to the end of the day here.">
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
