import { computed, effect, signal } from '@preact/signals';
import { hasAttention } from '../../lib/attention.ts';
import { route } from '../../lib/router/location.ts';

/**
 * The Hub in which the user has just marked messages as unread. The page that shows them marks them as read again only
 * once the user has scrolled, or has left and come back.
 */
export const keptUnread = signal<string | null>(null);

const path = computed(() => route.value.path);
effect(() => {
  if (hasAttention.value && path.value) return () => allowMarkAsRead();
});

/** Lets pages mark messages as read again. */
export function allowMarkAsRead(): void {
  keptUnread.value = null;
}
