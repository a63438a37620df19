import { useSignalEffect } from '@preact/signals';
import { hasAttention } from '../hub/attention.ts';
import { route } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';

/** The query parameters that open an item: in its list, in a panel, or as a reply in a thread. */
const LEADS_TO = ['at', 'open', 'reply'] as const;

/** Marks a mention as read once it is opened. */
export function useOpenedMention(): void {
  const { mentions } = useWorkspace().hubs;
  useSignalEffect(() => {
    const { query } = route.value;
    const opened = LEADS_TO.map((name) => query.get(name)).filter((id) => id !== null);
    if (hasAttention.value && opened.some((id) => mentions.has(id))) mentions.markRead(opened).catch(() => {});
  });
}
