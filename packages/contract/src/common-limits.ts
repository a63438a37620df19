/** The limits that the first load of the web app needs; `limits.ts` has all of them. */

/** The maximum length of a message. */
export const MAX_MESSAGE_CODE_POINTS = 40_000;

/** Unread counts stop here. */
export const MAX_UNREAD_COUNT = 100;

/** The maximum number of items on a page of a list. */
export const MAX_PAGE_ITEMS = 100;
