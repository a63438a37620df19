import { fillAlerts } from './content/alerts.ts';
import { fillBackups } from './content/backups.ts';
import { fillDeploys } from './content/deploys.ts';
import { fillReleases } from './content/releases.ts';
import { fillTeamRoom } from './content/team-room.ts';
import { fillWebsite } from './content/website.ts';
import type { Stage } from './stage.ts';

/** What has happened before one looks. */
export async function fillWorkspace(stage: Stage): Promise<void> {
  await fillTeamRoom(stage);
  await fillReleases(stage);
  await fillBackups(stage);
  await fillWebsite(stage);
  await fillAlerts(stage);
  await fillDeploys(stage);
}
