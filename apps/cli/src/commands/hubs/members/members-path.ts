import type { Hub } from '@hub/contract';
import { segment } from '../../../runtime/workspace-api.ts';

export function membersPath(hub: Pick<Hub, 'id'>): string {
  return `/hubs/${segment(hub.id)}/members`;
}
