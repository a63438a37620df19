import type { FollowEnd } from '@hub/client/live';

/** A Hub that was there and is not any more. */
export interface LostHub {
  name: string;
  /** `gone`: while there was no connection, deleted or left. */
  why: 'deleted' | 'left' | 'gone';
}

/** What the end of following a Hub says of it; what is not here tells nothing. */
export const WHY: Partial<Record<FollowEnd['code'], LostHub['why']>> = {
  hub_deleted: 'deleted',
  not_member: 'left',
  not_found: 'gone',
};
