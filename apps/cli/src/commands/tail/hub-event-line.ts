import type { EventFrame } from '@hub/client/live';
import { type Line, styled } from '../../runtime/segments.ts';
import { count, showTime } from '../../runtime/times.ts';
import type { NamedHub } from './printer.ts';

export type HubEvent = Exclude<EventFrame, { data: { kind: unknown } }>;

/** Formats an event of the Hub itself; undefined for events that are unknown or not worth showing. */
export function hubEventLine(hub: NamedHub, event: HubEvent): Line | undefined {
  switch (event.event) {
    case 'member.added':
      return [styled('green', '+ '), styled('bold', event.data.name), ' joined the Hub'];
    case 'member.removed':
      return [styled('red', '- '), styled('bold', event.data.name), ' is no longer a member of the Hub'];
    case 'member.changed':
      return undefined;
    case 'hub.changed':
      return hub.name === event.data.name
        ? [keepsLine(event.data.retentionDays)]
        : ['The Hub ', styled('bold', hub.name), ' was renamed to ', styled('bold', event.data.name)];
    case 'hub.deleted':
      return [styled('red', 'The Hub was deleted')];
    case 'hub.restored':
      return [styled('green', 'The Hub was restored')];
    case 'items.pruned':
      return [styled('dim', `Items older than ${showTime(event.data.before)} were deleted`)];
  }
}

function keepsLine(days: number | null): string {
  return days === null ? 'The Hub now keeps items forever' : `The Hub now keeps items for ${count(days, 'day')}`;
}
