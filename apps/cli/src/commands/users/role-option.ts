import type * as contract from '@hub/contract';
import { Option } from 'commander';
import type { Prompts } from '../../runtime/deps.ts';

/** Written again, for loading the contract's schemas would cost more time than the rest of the start. */
export const ROLES = ['owner', 'admin', 'member'] as const satisfies typeof contract.ROLES;
export type Role = contract.Role;

export function roleOption(): Option {
  return new Option('--role <role>', 'what the user may do (default: member)').choices(ROLES);
}

/** The least first, for that is what most are. */
export async function askRole(prompts: Prompts): Promise<Role> {
  return await prompts.choose<Role>('Which role?', [
    { name: 'member', value: 'member', description: 'works in the Hubs that it belongs to' },
    { name: 'admin', value: 'admin', description: 'manages users, Hubs and keys' },
    { name: 'owner', value: 'owner', description: 'the same, and makes owners' },
  ]);
}
