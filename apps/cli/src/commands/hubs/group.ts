import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCreateHub } from './create.ts';
import { addDeleteHub } from './delete.ts';
import { addListHubs } from './list.ts';
import { addRenameHub } from './rename.ts';
import { addRestoreHub } from './restore.ts';
import { addShowHub } from './show.ts';

export function addHubCommands(program: Command, cli: Cli): void {
  const hubs = program.command('hubs').description('list, create, rename, delete and restore Hubs');
  addListHubs(hubs, cli);
  addShowHub(hubs, cli);
  addCreateHub(hubs, cli);
  addRenameHub(hubs, cli);
  addDeleteHub(hubs, cli);
  addRestoreHub(hubs, cli);
}
