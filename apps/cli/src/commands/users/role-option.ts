import type * as contract from '@hub/contract';
import { Option } from 'commander';
import type { Prompts } from '../../runtime/deps.ts';

/** Duplicated here, since loading the contract's schemas would take longer than the rest of startup. */
export const ROLES = ['owner', 'admin', 'member'] as const satisfies typeof contract.ROLES;
export type Role = contract.Role;

export function roleOption(): Option {
  return new Option('--role <role>', 'Set the role (default: member)').choices(ROLES);
}

/** Asks for a role. `member` comes first, since it is the most common. */
export async function askRole(prompts: Prompts): Promise<Role> {
  return await prompts.choose<Role>('Which role?', [
    { name: 'member', value: 'member', description: "can read and post in the Hubs they're added to" },
    { name: 'admin', value: 'admin', description: 'can manage users, Hubs and keys' },
    { name: 'owner', value: 'owner', description: 'can also manage owners and take backups' },
  ]);
}
