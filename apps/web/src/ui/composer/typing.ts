/** The code for typing in a text area. It loads when a text area first gets the focus. */
export { emojiQuery, inChosenTone, matchingEmoji } from './emoji-query.ts';
export { markText } from './markdown-edits.ts';
export { matchingNames, nameQuery } from './name-query.ts';
