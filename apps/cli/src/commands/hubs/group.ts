import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addChangeHub } from './change.ts';
import { addCreateHub } from './create.ts';
import { addDeleteHub } from './delete.ts';
import { addExportHub } from './export.ts';
import { addListHubs } from './list.ts';
import { addMemberCommands } from './members/group.ts';
import { addRenameHub } from './rename.ts';
import { addRestoreHub } from './restore.ts';
import { addShowHub } from './show.ts';

export function addHubCommands(program: Command, cli: Cli): void {
  const hubs = program.command('hubs').description('Manage Hubs');
  addListHubs(hubs, cli);
  addShowHub(hubs, cli);
  addCreateHub(hubs, cli);
  addRenameHub(hubs, cli);
  addChangeHub(hubs, cli);
  addMemberCommands(hubs, cli);
  addExportHub(hubs, cli);
  addDeleteHub(hubs, cli);
  addRestoreHub(hubs, cli);
}
