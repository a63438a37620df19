import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addListProfiles } from './list.ts';
import { addLogin } from './login.ts';
import { addLogout } from './logout.ts';
import { addUseProfile } from './use.ts';
import { addWhoami } from './whoami.ts';

export function addProfileCommands(program: Command, cli: Cli): void {
  addLogin(program, cli);
  addLogout(program, cli);
  addWhoami(program, cli);
  const profiles = program.command('profiles').description('Manage the servers you are logged in to');
  addListProfiles(profiles, cli);
  addUseProfile(profiles, cli);
}
