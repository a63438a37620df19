import { fillAlerts } from './content/alerts.ts';
import { fillBackups } from './content/backups.ts';
import { fillDeploys } from './content/deploys.ts';
import { fillReleases } from './content/releases.ts';
import { fillTeamRoom } from './content/team-room.ts';
import { fillWebsite } from './content/website.ts';
import type { Setup } from './setup.ts';

/** Fills the workspace with the posts and activity that it starts with. */
export async function fillWorkspace(setup: Setup): Promise<void> {
  await fillTeamRoom(setup);
  await fillReleases(setup);
  await fillBackups(setup);
  await fillWebsite(setup);
  await fillAlerts(setup);
  await fillDeploys(setup);
}
