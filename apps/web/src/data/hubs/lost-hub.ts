import type { FollowEnd } from '@hub/client/live';

/** A Hub that was listed but is now gone. */
export interface LostHub {
  name: string;
  /** `gone`: deleted or left while there was no connection. */
  why: 'deleted' | 'left' | 'gone';
}

/** Returns why a Hub was lost when its subscription ended; undefined if it still exists. */
export function lostReason(code: FollowEnd['code']): LostHub['why'] | undefined {
  return WHY[code];
}

const WHY: Partial<Record<FollowEnd['code'], LostHub['why']>> = {
  hub_deleted: 'deleted',
  not_member: 'left',
  not_found: 'gone',
};
