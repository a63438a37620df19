import { useSignalEffect } from '@preact/signals';
import { hasAttention } from '../hub/attention.ts';
import { place } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';

/** What an address leads to: an item in its list, one that is open beside it, a reply in its thread. */
const LEADS_TO = ['at', 'open', 'reply'] as const;

/** What is addressed to one and has been opened is read. */
export function useOpenedMention(): void {
  const { mentions } = useWorkspace().hubs;
  useSignalEffect(() => {
    const { query } = place.value;
    const opened = LEADS_TO.map((name) => query.get(name)).filter((id) => id !== null);
    if (hasAttention.value && opened.some((id) => mentions.has(id))) mentions.markRead(opened).catch(() => {});
  });
}
