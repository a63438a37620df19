/** The limits that the first load of the web app needs; `limits.ts` has all of them. */

/** The maximum length of a message. */
export const MAX_MESSAGE_CODE_POINTS = 40_000;

/** Unread counts stop here: they are exact up to 999. */
export const MAX_UNREAD_COUNT = 1_000;

/** The maximum number of items on a page of a list. */
export const MAX_PAGE_ITEMS = 100;

/** The maximum number of files of an item. */
export const MAX_ITEM_FILES = 10;
