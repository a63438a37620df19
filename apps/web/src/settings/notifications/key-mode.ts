import type { NotificationMode, NotificationSettings } from '@hub/contract';
import { errorMessage, request } from '../../data/request.ts';
import { MODE_SET } from '../../notifications/modes.ts';
import { toast } from '../../ui/toast.tsx';

/** Sets the notification mode of a key. Returns null after showing an error. */
export async function setKeyMode(
  { id, name }: { id: string; name: string },
  mode: NotificationMode,
): Promise<NotificationSettings | null> {
  try {
    const settings = await request('PUT /me/notices/keys/{keyId}', { keyId: id, body: { mode } });
    toast(MODE_SET[mode](name));
    return settings;
  } catch (error) {
    toast(`Not changed. ${errorMessage(error)}`, { isBad: true });
    return null;
  }
}
