import type { Command } from 'commander';
import type { Cli } from '../../../runtime/cli.ts';
import { addAddMember } from './add.ts';
import { addListMembers } from './list.ts';
import { addRemoveMember } from './remove.ts';

export function addMemberCommands(hubs: Command, cli: Cli): void {
  const members = hubs.command('members').description('Manage the members of a Hub');
  addListMembers(members, cli);
  addAddMember(members, cli);
  addRemoveMember(members, cli);
}
