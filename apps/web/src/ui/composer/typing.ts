/** What a text area needs once somebody types in it. It loads when a text area first gets the focus. */
export { emojiQuery, inChosenTone, matchingEmoji } from './emoji-query.ts';
export { markText } from './markdown-edits.ts';
export { matchingNames, nameQuery } from './name-query.ts';
