import type { Hub, NoticeMode, NoticeSettings } from '@hub/contract';
import { path, request, wordsOf } from '../api/request.ts';
import type { Hubs } from '../hubs/hubs.ts';
import { toast } from '../ui/toast.tsx';

const DONE: Record<NoticeMode, (name: string) => string> = {
  usual: (name) => `You hear of what concerns you in ${name}.`,
  every: (name) => `You hear of every post in ${name}.`,
  muted: (name) => `${name} is muted.`,
};

/** What one hears of a Hub; the list of Hubs shows it at once.. `null`: it failed, and was said. */
export async function setHubMode(
  hubs: Hubs,
  { id, name }: Pick<Hub, 'id' | 'name'>,
  mode: NoticeMode,
): Promise<NoticeSettings | null> {
  try {
    const settings = await request<NoticeSettings>('PUT', path`/me/notices/hubs/${id}`, { body: { mode } });
    hubs.mute(id, mode === 'muted');
    toast(DONE[mode](name));
    return settings;
  } catch (error) {
    toast(`Not changed. ${wordsOf(error)}`, { isBad: true });
    return null;
  }
}

/** The same of a key. */
export async function setKeyMode(
  { id, name }: { id: string; name: string },
  mode: NoticeMode,
): Promise<NoticeSettings | null> {
  try {
    const settings = await request<NoticeSettings>('PUT', path`/me/notices/keys/${id}`, { body: { mode } });
    toast(DONE[mode](name));
    return settings;
  } catch (error) {
    toast(`Not changed. ${wordsOf(error)}`, { isBad: true });
    return null;
  }
}
