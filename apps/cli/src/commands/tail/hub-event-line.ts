import type { EventFrame } from '@hub/client/live';
import type { Line } from '../../runtime/markdown-lines.ts';
import { styled } from '../../runtime/output.ts';
import { count, showTime } from '../../runtime/times.ts';
import type { NamedHub } from './printer.ts';

export type HubEvent = Exclude<EventFrame, { data: { kind: unknown } }>;

/** What happened to a Hub and not to one of its items; undefined of what is no news in a terminal, and of events that a later server may send. */
export function hubEventLine(hub: NamedHub, event: HubEvent): Line | undefined {
  switch (event.event) {
    case 'member.added':
      return [styled('green', '+ '), styled('bold', event.data.name), ' belongs to the Hub now'];
    case 'member.removed':
      return [styled('red', '- '), styled('bold', event.data.name), ' does not belong to the Hub any more'];
    case 'member.changed':
      return undefined;
    case 'hub.changed':
      return hub.name === event.data.name
        ? [keepsLine(event.data.retentionDays)]
        : ['The Hub ', styled('bold', hub.name), ' is called ', styled('bold', event.data.name), ' now'];
    case 'hub.deleted':
      return [styled('red', 'The Hub was deleted')];
    case 'hub.restored':
      return [styled('green', 'The Hub was restored')];
    case 'items.pruned':
      return [styled('dim', `What was older than ${showTime(event.data.before)} has been removed`)];
  }
}

function keepsLine(days: number | null): string {
  return days === null
    ? 'The Hub keeps its items for ever now'
    : `The Hub keeps its items for ${count(days, 'day')} now`;
}
