import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addIssueKey } from './issue.ts';
import { addListKeys } from './list.ts';
import { addRemovePosts } from './remove-posts.ts';
import { addReplaceKey } from './replace.ts';
import { addRevokeKey } from './revoke.ts';
import { addRotateKey } from './rotate.ts';
import { addShowKey } from './show.ts';

export function addKeyCommands(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('Manage API keys');
  addListKeys(keys, cli);
  addShowKey(keys, cli);
  addIssueKey(keys, cli);
  addRotateKey(keys, cli);
  addReplaceKey(keys, cli);
  addRevokeKey(keys, cli);
  addRemovePosts(keys, cli);
}
